package io.lockkeeper.faults.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The line of an {@link Access} in the journal of the registers, and back. */
public final class AccessReader {

    private AccessReader() {}

    public static String line(Access access) {
        return String.join(
                " ",
                access.kind().name(),
                Long.toString(access.at()),
                access.name(),
                access.client(),
                Long.toString(access.token()),
                access.holdId(),
                Long.toString(access.base()),
                Long.toString(access.before()),
                access.admitted() ? "admitted" : "refused");
    }

    public static List<Access> read(Path journal) throws IOException {
        List<Access> accesses = new ArrayList<>();
        for (String line : Files.readAllLines(journal, UTF_8)) {
            String[] words = line.split(" ");
            accesses.add(new Access(
                    Access.Kind.valueOf(words[0]),
                    Long.parseLong(words[1]),
                    words[2],
                    words[3],
                    Long.parseLong(words[4]),
                    words[5],
                    Long.parseLong(words[6]),
                    Long.parseLong(words[7]),
                    words[8].equals("admitted")));
        }
        return accesses;
    }
}
