package io.lockkeeper;

/**
 * Who holds or waits, as told to the others.
 *
 * @param keeper the random id of the keeper
 * @param host the name of its machine
 * @param pid its process
 * @param thread the thread that asked, at most 64 characters; empty if no thread waited for it. A keeper may hand a grant on
 *     to other threads of its own, which the store does not hear of
 * @param note what the application said about itself, often empty
 */
public record HolderInfo(String keeper, String host, long pid, String thread, String note) {

    private static final int LONGEST_THREAD = 64;

    public HolderInfo {
        thread = thread.length() > LONGEST_THREAD ? thread.substring(0, LONGEST_THREAD) : thread;
    }

    /** One of which no thread is known. */
    public HolderInfo(String keeper, String host, long pid, String note) {
        this(keeper, host, pid, "", note);
    }

    /** The same, with the thread that asks. */
    public HolderInfo withThread(String asking) {
        return asking.equals(thread) ? this : new HolderInfo(keeper, host, pid, asking, note);
    }

    @Override
    public String toString() {
        return (note.isEmpty() ? "" : note + " ") + "pid " + pid + " on " + host
                + (thread.isEmpty() ? "" : ", thread " + thread);
    }
}
