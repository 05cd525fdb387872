package io.lockkeeper.redis.client;

import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Records warnings that are logged. */
public final class LogRecorder extends Handler implements AutoCloseable {

    private final Logger logger;
    private final String about;
    private final List<String> warnings = new CopyOnWriteArrayList<>();

    private LogRecorder(Logger logger, String about) {
        this.logger = logger;
        this.about = about;
    }

    /** Of this logger, the lines that contain a text; other tests that run at the same time are about something else. */
    public static LogRecorder of(String name, String about) {
        LogRecorder book = new LogRecorder(Logger.getLogger(name), about);
        book.logger.addHandler(book);
        return book;
    }

    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
            Object[] parts = line.getParameters();
            String text = parts == null ? line.getMessage() : MessageFormat.format(line.getMessage(), parts);
            if (text.contains(about)) {
                warnings.add(text);
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
