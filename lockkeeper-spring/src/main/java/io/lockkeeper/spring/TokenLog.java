package io.lockkeeper.spring;

import io.lockkeeper.Hold;
import io.lockkeeper.SingleHold;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Shows the token of the current lock in every line of the log, if that is switched on. */
interface TokenLog {

    /** The key in the MDC. */
    String KEY = "lockkeeper.token";

    /** Shows nothing. */
    TokenLog NONE = hold -> () -> {};

    /** Until it is closed; then what was there before is back. */
    AutoCloseable show(Hold hold);

    /** By SLF4J. */
    final class InMdc implements TokenLog {

        @Override
        public AutoCloseable show(Hold hold) {
            if (!(hold instanceof SingleHold single)) {
                return () -> {};
            }
            String before = MDC.get(KEY);
            MDC.put(KEY, Long.toString(single.token()));
            return () -> restore(before);
        }

        private static void restore(@Nullable String before) {
            if (before == null) {
                MDC.remove(KEY);
            } else {
                MDC.put(KEY, before);
            }
        }
    }
}
