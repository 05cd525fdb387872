package io.lockkeeper.benchmarks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class HistogramTest {

    @Test
    void quantilesAreThoseOfTheSortedValues() {
        var random = new SplittableRandom(1);
        long[] values = random.longs(10_001, 1, 50_000_000)
                .map(value -> value >> random.nextInt(20))
                .toArray();
        var histogram = new Histogram();
        for (long value : values) {
            histogram.record(value);
        }
        Arrays.sort(values);
        for (double part : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
            double exact = values[(int) Math.ceil(part * values.length) - 1];
            assertThat(histogram.quantile(part)).isCloseTo(exact, Percentage.withPercentage(3.2));
        }
    }

    @Test
    void smallValuesAreExactAndGreatOnesHaveAPlace() {
        var histogram = new Histogram();
        histogram.record(7);
        assertThat(histogram.quantile(0.5)).isCloseTo(7, within(0.5));
        histogram.record(Long.MAX_VALUE);
        assertThat(histogram.quantile(1)).isCloseTo(Long.MAX_VALUE, Percentage.withPercentage(3.2));
    }

    @Test
    void survivesTheWayBetweenProcesses() {
        var histogram = new Histogram();
        for (int i = 0; i < 1000; i++) {
            histogram.record((long) i * i * i);
        }
        Histogram again = Histogram.parse(histogram.toString());
        assertThat(again.total()).isEqualTo(1000);
        assertThat(again.quantile(0.9)).isEqualTo(histogram.quantile(0.9));
        assertThat(Histogram.parse("").total()).isZero();
    }
}
