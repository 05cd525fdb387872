package io.lockkeeper.cli;

/** Ends the command with one sentence and an exit code. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    public CliException(int exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
