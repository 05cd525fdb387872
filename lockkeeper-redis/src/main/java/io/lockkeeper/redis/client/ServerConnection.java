package io.lockkeeper.redis.client;

import org.jspecify.annotations.Nullable;

/** A connection to one server, used by one thread at a time. */
public interface ServerConnection {

    /** Sends a command, perhaps not before a reply is waited for. */
    void send(Command command);

    /**
     * Sends a script.
     *
     * @param whole whether with its text, or else by its digest
     */
    default void send(Redis.Call call, boolean whole) {
        send(whole ? Commands.eval(call) : Commands.evalsha(call));
    }

    /**
     * Waits for the next reply.
     *
     * @throws ErrorReplyException if it is an error; the line is as good as before
     * @throws NoReplyException if there is none; the line is broken
     */
    @Nullable
    Object receive();

    default @Nullable Object ask(Command command) {
        send(command);
        return receive();
    }

    /** For a command that is never answered with nothing. */
    default Object demand(Command command) {
        send(command);
        return demand();
    }

    default Object demand() {
        Object reply = receive();
        if (reply == null) {
            throw ErrorReplyException.of("ERR an empty reply where there should be one");
        }
        return reply;
    }
}
