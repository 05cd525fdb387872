package io.lockkeeper.spring;

import org.springframework.util.ClassUtils;

/** Which libraries the application has. All are optional. */
final class Presence {

    static final boolean TRANSACTIONS = has("org.springframework.transaction.TransactionExecutionListener");
    static final boolean FENCES = TRANSACTIONS
            && has("org.springframework.jdbc.datasource.DataSourceUtils")
            && has("io.lockkeeper.jdbc.JdbcFencing");
    static final boolean REACTOR = has("reactor.core.publisher.Mono");
    static final boolean SLF4J = has("org.slf4j.MDC");

    private Presence() {}

    private static boolean has(String type) {
        return ClassUtils.isPresent(type, Presence.class.getClassLoader());
    }
}
