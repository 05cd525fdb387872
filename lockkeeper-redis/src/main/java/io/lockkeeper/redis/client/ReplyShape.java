package io.lockkeeper.redis.client;

/** Takes replies of a server apart, whose parts may not be what they should be. */
final class ReplyShape {

    private ReplyShape() {}

    /** What takes an answer apart. */
    interface Reader<T> {
        T read();
    }

    /** @throws NoReplyException if a part is missing or of another kind */
    static <T> T of(String command, Reader<T> reader) {
        try {
            return reader.read();
        } catch (ClassCastException | IndexOutOfBoundsException | NullPointerException | NumberFormatException e) {
            throw NoReplyException.malformed("The answer to " + command + " has another shape");
        }
    }
}
