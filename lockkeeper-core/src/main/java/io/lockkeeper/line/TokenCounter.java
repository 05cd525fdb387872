package io.lockkeeper.line;

/**
 * The counter that fencing tokens come from, one block after the other, never one twice.
 *
 * <p>With the hybrid clock a block is no longer than the time that has passed since the last token, in microseconds. Were
 * it always as long as wanted, a busy store would run ahead of its clock, and a counter that is lost then would start
 * again below tokens that are in use.
 */
final class TokenCounter {

    /** Tokens {@code first} to {@code first + count - 1}. */
    record Block(long first, int count) {}

    private final TokenPolicy policy;
    private long last;

    TokenCounter(TokenPolicy policy) {
        this.policy = policy;
    }

    Block take(int wanted, long now) {
        long first = last + 1;
        int count = Math.max(1, wanted);
        if (policy == TokenPolicy.HYBRID_CLOCK) {
            long micros = now / 1_000;
            count = (int) Math.max(1, Math.min(count, micros - last));
            first = Math.max(first, micros);
        }
        last = first + count - 1;
        return new Block(first, count);
    }

    long last() {
        return last;
    }

    /** From now on all tokens are greater than this one. */
    void raise(long token) {
        last = Math.max(last, token);
    }

    TokenCounter copy() {
        TokenCounter copy = new TokenCounter(policy);
        copy.last = last;
        return copy;
    }
}
