package io.lockkeeper.redis.client;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error that the server replied with. The request was not executed, or only a part of a script was. The connection stays
 * usable.
 *
 * <p>It is made where replies are read, often for another thread, so it has no stack trace.
 */
public final class ErrorReplyException extends RequestException {

    private static final long serialVersionUID = 1;

    private static final int LONGEST = 1000;

    /** The errors that a client handles. */
    enum Kind {
        /** The script is not known by its digest; nothing was executed. */
        NOSCRIPT,
        /** Another node has the slot. */
        MOVED,
        /** Another node is receiving the slot; ASKING has to precede the request to it. */
        ASK,
        /** The slot is being moved, and some of the keys are elsewhere. */
        TRYAGAIN,
        CLUSTERDOWN,
        LOADING,
        /** The user has no permission. */
        NOPERM,
        OTHER
    }

    private final Kind kind;
    private final transient @Nullable Address target;

    private ErrorReplyException(String message, @Nullable Throwable cause, Kind kind, @Nullable Address target) {
        super(message, cause, false);
        this.kind = kind;
        this.target = target;
    }

    /** @param said what the server wrote, such as {@code MOVED 3999 127.0.0.1:6381} */
    static ErrorReplyException of(String said) {
        return of(said, null);
    }

    /** @param cause what a client library made of it */
    public static ErrorReplyException of(String said, @Nullable Throwable cause) {
        String message = printable(said);
        Kind kind = kind(message);
        Address target = null;
        if (kind == Kind.MOVED || kind == Kind.ASK) {
            String[] words = message.split(" ", -1);
            target = words.length < 3 ? null : Address.parse(words[2]);
            if (target == null) {
                kind = Kind.OTHER;
            }
        }
        return new ErrorReplyException(message, cause, kind, target);
    }

    private static Kind kind(String message) {
        int space = message.indexOf(' ');
        String first = space < 0 ? message : message.substring(0, space);
        for (Kind kind : Kind.values()) {
            if (kind != Kind.OTHER && kind.name().equals(first.toUpperCase(Locale.ROOT))) {
                return kind;
            }
        }
        return Kind.OTHER;
    }

    /** One line of a length that fits into a log, whatever a server sends. */
    private static String printable(String said) {
        String text = said.length() > LONGEST ? said.substring(0, LONGEST) + "…" : said;
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    Kind kind() {
        return kind;
    }

    boolean is(Kind other) {
        return kind == other;
    }

    /** Whether the request is to be sent to {@link #target}. */
    boolean isRedirection() {
        return target != null;
    }

    /**
     * Where to go instead.
     *
     * @param from the node that said so: one that does not know its own host names none
     */
    Address target(Address from) {
        Address to = target;
        if (to == null) {
            throw new IllegalStateException("No redirection: " + getMessage());
        }
        return to.host().isEmpty() || to.host().equals("?") ? new Address(from.host(), to.port()) : to;
    }
}
