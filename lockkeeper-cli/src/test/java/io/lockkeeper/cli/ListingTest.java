package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.ResourceState;
import io.lockkeeper.ResourceState.Grant;
import io.lockkeeper.spi.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListingTest {

    private static final HolderInfo HOLDER = new HolderInfo("k1", "host", 7, "main", "backup");

    private final List<ResourceState> states = List.of(
            new ResourceState(
                    new Resource(Family.LOCK, "a \"b\"\n"),
                    List.of(new Grant(HOLDER, 17, false, 0, Duration.ofMillis(12_345), Duration.ofMillis(2_500))),
                    2,
                    0),
            new ResourceState(
                    new Resource(Family.SEMAPHORE, "printers"),
                    List.of(new Grant(HOLDER, 18, false, 3, Answer.FOREVER)),
                    0,
                    4),
            new ResourceState(new Resource(Family.LOCK, "free"), List.of(), 1, 0));

    @Test
    void theTableKeepsItsColumnsWhateverTheNames() {
        assertThat(Listing.table(states)).isEqualTo("""
                FAMILY     NAME         HOLDER                             HOW     TOKEN  HELD FOR  REMAINING  WAITING
                lock       a "b"\\u000a  backup pid 7 on host, thread main  alone      17      2.5s      12.3s        2
                semaphore  printers     backup pid 7 on host, thread main  3 of 4     18         -     no end        0
                lock       free         -                                  -           -         -          -        1
                """);
    }

    @Test
    void jsonHasEveryFigureAndEscapesNames() {
        assertThat(Listing.json(states)).isEqualTo("""
                [{"family":"lock","name":"a \\"b\\"\\u000a","permits":0,"waiting":2,"grants":[\
                {"host":"host","pid":7,"thread":"main","note":"backup","keeper":"k1","token":17,"shared":false,"permits":0,\
                "heldForMillis":2500,"remainingMillis":12345}]},
                 {"family":"semaphore","name":"printers","permits":4,"waiting":0,"grants":[\
                {"host":"host","pid":7,"thread":"main","note":"backup","keeper":"k1","token":18,"shared":false,"permits":3,\
                "heldForMillis":0,"remainingMillis":null}]},
                 {"family":"lock","name":"free","permits":0,"waiting":1,"grants":[]}]""");
    }
}
