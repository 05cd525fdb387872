package io.lockkeeper.cli;

/** The exit codes of {@code lockkeeper} itself; any other is the command's own. The same numbers as timeout(1) and shells. */
public final class ExitCode {

    public static final int OK = 0;
    /** The demo saw something that must not happen. */
    public static final int FAILED = 1;

    public static final int USAGE = 2;
    /** The lock was lost while the command ran; the command was ended. */
    public static final int LOST = 123;
    /** The wait ran out; the command was not started. */
    public static final int NOT_ACQUIRED = 124;
    /** The store cannot be used, or the command could not be guarded; it was not started. */
    public static final int UNAVAILABLE = 125;

    public static final int NOT_EXECUTABLE = 126;
    public static final int NOT_FOUND = 127;
    /** Plus the number of the signal that ended the command, or lockkeeper while it waited. */
    public static final int SIGNALLED = 128;

    private ExitCode() {}
}
