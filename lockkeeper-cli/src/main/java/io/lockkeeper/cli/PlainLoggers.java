package io.lockkeeper.cli;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Warnings of the library as single lines on standard error. It also spares the start-up time of the JDK's logging.
 */
public final class PlainLoggers extends System.LoggerFinder {

    /** Set for the sellers of the demonstration, who lose locks on purpose. */
    private static final boolean SILENT = Boolean.getBoolean("lockkeeper.silent");

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Plain(name);
    }

    private record Plain(String name) implements System.Logger {

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            return !SILENT && level != Level.OFF && level.compareTo(Level.WARNING) >= 0;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            if (isLoggable(level)) {
                System.err.println("lockkeeper: " + message + (thrown == null ? "" : " (" + thrown.getMessage() + ")"));
            }
        }

        @Override
        public void log(
                Level level,
                @Nullable ResourceBundle bundle,
                String format,
                @Nullable Object @Nullable ... parameters) {
            if (isLoggable(level)) {
                // The JDK passes null where a message has no parameters; it is then no format.
                boolean plain = parameters == null || parameters.length == 0;
                log(level, bundle, plain ? format : MessageFormat.format(format, parameters), (Throwable) null);
            }
        }
    }
}
