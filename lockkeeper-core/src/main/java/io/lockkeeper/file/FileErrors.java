package io.lockkeeper.file;

import io.lockkeeper.ClaimRefusedException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Locale;

/** Turns what the file system says into one sentence, and into "mend it" or "it may be over soon". */
final class FileErrors {

    private FileErrors() {}

    /** For a failure before anything was changed. */
    static LockkeeperException of(Path path, IOException e) {
        String said = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        if (Files.isSymbolicLink(path)) {
            return isLink(path);
        }
        if (said.contains("read-only file system")) {
            return refused(path + " is on a read-only file system; give a folder that can be written to", e);
        }
        if (e instanceof AccessDeniedException || said.contains("not permitted")) {
            return refused(path + " cannot be written by this process; give it the right to, or use another folder", e);
        }
        if (said.contains("no space left") || said.contains("quota exceeded")) {
            return refused("There is no space left for " + path + "; free some on its disk", e);
        }
        if (said.contains("not a directory") || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return refused(path + " cannot be used: a file is where a folder should be, or the other way round", e);
        }
        return new StoreUnavailableException("The file " + path + " cannot be used: " + e, e);
    }

    /** For a failure after which nobody knows whether the change was made. */
    static StoreUnavailableException halfDone(Path path, IOException e) {
        return new StoreUnavailableException("The file " + path + " may or may not have been written: " + e, e);
    }

    static ClaimRefusedException isLink(Path path) {
        return new ClaimRefusedException(
                path + " is a symbolic link, which could lead anywhere; use what it points to");
    }

    private static ClaimRefusedException refused(String sentence, IOException e) {
        return new ClaimRefusedException(sentence, e);
    }
}
