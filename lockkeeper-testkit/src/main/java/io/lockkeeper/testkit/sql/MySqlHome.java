package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.ServerCache;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An installation of MySQL.
 *
 * @param base the folder around all of it
 * @param program the server
 * @param share the folder of messages and character sets
 */
record MySqlHome(Path base, Path program, Path share) {

    static final String PROPERTY = "lockkeeper.mysql";
    static final String VARIABLE = "LOCKKEEPER_MYSQL";

    static MySqlHome chosen() {
        return of(Path.of(System.getProperty(
                PROPERTY, Optional.ofNullable(System.getenv(VARIABLE)).orElse(""))));
    }

    /** A program fresh out of an archive may lack the right to be run; it is given here. */
    static MySqlHome of(Path place) {
        for (String bin : List.of("bin", "sbin")) {
            for (String share : List.of("share", "share/mysql")) {
                Path program = place.resolve(bin).resolve("mysqld").toAbsolutePath();
                Path folder = place.resolve(share).toAbsolutePath();
                if (Files.exists(folder.resolve("english/errmsg.sys"))
                        && (Files.isExecutable(program) || program.toFile().setExecutable(true, false))) {
                    return new MySqlHome(place.toAbsolutePath(), program, folder);
                }
            }
        }
        throw new IllegalStateException("No MySQL is at '" + place + "', which " + VARIABLE + " or " + PROPERTY
                + " names; name a folder with bin/mysqld");
    }

    /** The command that runs it on this data, without the settings of the machine. */
    List<String> command(Path data) {
        return List.of(
                program.toString(),
                "--no-defaults",
                "--basedir=" + base,
                "--lc-messages-dir=" + share,
                "--character-sets-dir=" + share.resolve("charsets"),
                "--datadir=" + data,
                "--disable-log-bin",
                "--performance-schema=OFF",
                "--innodb-redo-log-capacity=16M");
    }

    /** Empty data, to be copied. */
    Path emptyData() {
        String digest = ServerCache.digest((this + MySqlFamily.SETUP).getBytes(StandardCharsets.UTF_8));
        return ServerCache.folder("mysql-data-" + digest, this::fill).resolve("data");
    }

    private void fill(Path folder) throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Account.give(data);
        Path setup = Files.writeString(folder.resolve("setup.sql"), MySqlFamily.SETUP);
        List<String> words = new ArrayList<>(command(data));
        words.addAll(List.of("--initialize-insecure", "--init-file=" + setup));
        Commands.run(folder, Account.command(words));
        // Each copy chooses an identity of its own.
        Files.delete(data.resolve("auto.cnf"));
    }
}
