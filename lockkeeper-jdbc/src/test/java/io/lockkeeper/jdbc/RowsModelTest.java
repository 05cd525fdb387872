package io.lockkeeper.jdbc;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The statements of each database against the reference semantics in memory: random programs get the same answers from both, and
 * the same keepers are told. A grant changes between columns and text many times in each.
 */
@Timeout(600)
class RowsModelTest {

    @ParameterizedTest
    @EnumSource(Place.class)
    void statementsAnswerAsTheReferenceDoes(Place place) throws Exception {
        run(place, 1, 40);
    }

    @Tag("full")
    @ParameterizedTest
    @EnumSource(Place.class)
    void statementsAnswerAsTheReferenceDoesInManyPrograms(Place place) throws Exception {
        run(place, 1_000_000, 3_000);
    }

    private static void run(Place place, long firstSeed, int programs) throws Exception {
        try (SqlScene scene = place.scene();
                ModelSubject subject = ModelSubject.inOneProcess(scene, () -> Duration.ZERO)) {
            subject.run(firstSeed, programs);
        }
    }

    @Test
    void notificationsTellWhatTheReferenceTells() throws Exception {
        try (SqlScene scene = Place.POSTGRES.scene();
                ModelSubject subject = ModelSubject.notified(scene)) {
            subject.run(1, 20);
        }
    }
}
