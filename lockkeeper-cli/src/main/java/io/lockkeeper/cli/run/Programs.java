package io.lockkeeper.cli.run;

import io.lockkeeper.cli.CliException;
import io.lockkeeper.cli.ExitCode;
import java.io.File;
import org.jspecify.annotations.Nullable;

/** Finds programs as a shell would, so that a mistyped one is told of before the lock is taken. */
public final class Programs {

    private Programs() {}

    /** @throws CliException with the exit code that a shell would give, if it cannot be run */
    public static void check(String program) {
        File file = program.indexOf('/') >= 0 ? new File(program) : found(program);
        if (file == null || !file.exists()) {
            throw new CliException(ExitCode.NOT_FOUND, "The command '" + program + "' was not found");
        }
        if (!runs(file)) {
            throw new CliException(ExitCode.NOT_EXECUTABLE, "The command '" + program + "' is not an executable file");
        }
    }

    static @Nullable String find(String program) {
        File file = found(program);
        return file == null || !runs(file) ? null : file.getPath();
    }

    /** The first executable of that name on the PATH, else the first file of that name. */
    private static @Nullable File found(String program) {
        String path = System.getenv("PATH");
        File second = null;
        for (String folder : (path == null ? "/usr/bin:/bin" : path).split(":", -1)) {
            File file = new File(folder.isEmpty() ? "." : folder, program);
            if (runs(file)) {
                return file;
            }
            if (second == null && file.isFile()) {
                second = file;
            }
        }
        return second;
    }

    private static boolean runs(File file) {
        return file.isFile() && file.canExecute();
    }
}
