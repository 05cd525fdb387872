package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainLoggersTest {

    private final System.Logger logger =
            new PlainLoggers().getLogger("io.lockkeeper.test", PlainLoggersTest.class.getModule());

    /** The library warns in all of these forms, as of a folder that everybody may write to. */
    @Test
    void everyFormOfAWarningIsPrinted() {
        List<Runnable> forms = List.of(
                () -> logger.log(System.Logger.Level.WARNING, "No parameters, and a brace {"),
                () -> logger.log(System.Logger.Level.WARNING, "One parameter: {0}", 1),
                () -> logger.log(System.Logger.Level.WARNING, () -> "A supplier"),
                () -> logger.log(System.Logger.Level.WARNING, "A failure", new IllegalStateException("why")));
        forms.forEach(form -> assertThatCode(form::run).doesNotThrowAnyException());
    }
}
