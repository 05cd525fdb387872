package io.lockkeeper.testkit.contract;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Reads along what is logged, as long as it is open. Cases that run at the same time log here too. */
final class Logs implements AutoCloseable {

    private final Logger logger = Logger.getLogger("io.lockkeeper");
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();
    private final Formatter formatter = new SimpleFormatter();

    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            if (entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                var text = new StringWriter().append(formatter.formatMessage(entry));
                if (entry.getThrown() != null) {
                    entry.getThrown().printStackTrace(new PrintWriter(text));
                }
                warnings.add(text.toString());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private Logs() {
        logger.addHandler(handler);
    }

    static Logs read() {
        return new Logs();
    }

    /** Whether a warning, with the stack trace that came along, has all of these in it. */
    boolean warnOf(String... parts) {
        return warnings.stream().anyMatch(warning -> {
            for (String part : parts) {
                if (!warning.contains(part)) {
                    return false;
                }
            }
            return true;
        });
    }

    @Override
    public void close() {
        logger.removeHandler(handler);
    }
}
