package io.lockkeeper.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What this module logs while it is open. */
final class Logged implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("io.lockkeeper.spring");

    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            messages.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    Logged() {
        LOGGER.addHandler(handler);
    }

    List<String> with(String part) {
        return messages.stream().filter(message -> message.contains(part)).toList();
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
