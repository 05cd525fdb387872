package io.lockkeeper.faults.history;

/**
 * One call for a lock, as its caller saw it.
 *
 * @param client which process, and which life of it: "3.0" is the third client before it was ever killed
 * @param way which kind of lock and of call, for people
 * @param limit nanoseconds that it was willing to wait; {@link #UNTIMED} until it is served
 * @param asked when it was called
 */
public record Call(String client, String name, String way, long limit, long asked, Answer answer) {

    public static final long UNTIMED = Long.MAX_VALUE;

    @Override
    public String toString() {
        String what = "client " + client + " (" + way + " of " + name + ", asked at " + asked;
        return answer instanceof Answer.Granted granted
                ? what + ", token " + granted.token() + " at " + granted.at() + ")"
                : what + ")";
    }
}
