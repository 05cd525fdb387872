package io.lockkeeper.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A command with its arguments, as bytes. It has no text form: an argument may be a password. */
public final class Command {

    private final List<byte[]> parts = new ArrayList<>();

    Command(String name) {
        add(name);
    }

    Command add(byte[] argument) {
        parts.add(argument);
        return this;
    }

    Command add(String argument) {
        return add(argument.getBytes(StandardCharsets.UTF_8));
    }

    Command add(long argument) {
        return add(Long.toString(argument));
    }

    /** The name, then the arguments. */
    public List<byte[]> parts() {
        return Collections.unmodifiableList(parts);
    }
}
