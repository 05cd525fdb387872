package io.lockkeeper;

/**
 * A holder or waiter, as it is described to other processes.
 *
 * @param keeper the random id of the keeper
 * @param host the host name of its machine
 * @param pid its process id
 * @param thread the thread that acquired it, at most 64 characters; empty if no thread waited for it; of an election, the
 *     {@linkplain LeaderElection#id() id} of the candidate. A keeper may hand a grant
 *     off to other threads of its own, which the store does not see
 * @param note the note of the application, see {@link LockkeeperBuilder#note}; often empty
 */
public record HolderInfo(String keeper, String host, long pid, String thread, String note) {

    private static final int LONGEST_THREAD = 64;

    public HolderInfo {
        thread = thread.length() > LONGEST_THREAD ? thread.substring(0, LONGEST_THREAD) : thread;
    }

    /** A holder whose thread is not known. */
    public HolderInfo(String keeper, String host, long pid, String note) {
        this(keeper, host, pid, "", note);
    }

    /** The same holder with another thread. */
    public HolderInfo withThread(String other) {
        return other.equals(thread) ? this : new HolderInfo(keeper, host, pid, other, note);
    }

    @Override
    public String toString() {
        return (note.isEmpty() ? "" : note + " ") + "pid " + pid + " on " + host
                + (thread.isEmpty() ? "" : ", thread " + thread);
    }
}
