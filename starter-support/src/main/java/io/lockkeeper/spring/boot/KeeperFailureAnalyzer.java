package io.lockkeeper.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in the log of an application that did not start why it has no keeper, and what to do. */
final class KeeperFailureAnalyzer extends AbstractFailureAnalyzer<KeeperStartException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, KeeperStartException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
    }
}
