package io.lockkeeper.spring.boot;

import java.util.List;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What an application that did not start tells its user, by the analyzers that Spring Boot finds. */
final class KeeperFailures {

    private KeeperFailures() {}

    static String of(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        if (failure == null) {
            throw new AssertionError("The application started");
        }
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation(
                        KeeperFailures.class.getClassLoader())
                .load(FailureAnalyzer.class, (name, thrown, cause) -> {});
        for (FailureAnalyzer analyzer : analyzers) {
            FailureAnalysis analysis = analyzer.analyze(failure);
            if (analysis != null && analyzer instanceof KeeperFailureAnalyzer) {
                return analysis.getDescription() + "\n" + analysis.getAction();
            }
        }
        throw new AssertionError("No analyzer knows it", failure);
    }
}
