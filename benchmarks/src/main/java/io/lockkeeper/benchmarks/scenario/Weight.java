package io.lockkeeper.benchmarks.scenario;

import io.lockkeeper.benchmarks.peer.Library;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a library brings along, read from Maven's tree of this module, where the subtree of an artifact stands once only. */
record Weight(int jars, long bytes) {

    /** The folder of the build, as the launcher tells. */
    private static final Path HOME = Path.of(System.getProperty("bench.home", "benchmarks/target"));

    static Weight of(Library library) throws IOException {
        Map<String, List<String>> needs = tree();
        Set<String> all = new HashSet<>();
        Deque<String> todo = new ArrayDeque<>(List.of(library.root().split(",")));
        while (!todo.isEmpty()) {
            String artifact = todo.pop();
            if (all.add(artifact)) {
                todo.addAll(needs.getOrDefault(artifact, List.of()));
            }
        }
        long bytes = 0;
        for (String artifact : all) {
            bytes += size(artifact.substring(artifact.indexOf(':') + 1));
        }
        return new Weight(all.size(), bytes);
    }

    /** The direct needs of each artifact, as {@code group:artifact}. */
    private static Map<String, List<String>> tree() throws IOException {
        Map<String, List<String>> needs = new HashMap<>();
        List<String> path = new ArrayList<>();
        for (String line : Files.readAllLines(HOME.resolve("tree.txt"))) {
            int start = 0;
            while (start < line.length() && !Character.isLetter(line.charAt(start))) {
                start++;
            }
            String[] words = line.substring(start).split(":");
            String artifact = words[0] + ":" + words[1];
            int depth = (line.charAt(Math.max(0, start - 1)) == '(' ? start - 1 : start) / 3;
            path.subList(Math.min(depth, path.size()), path.size()).clear();
            if (depth > 0) {
                needs.computeIfAbsent(path.get(depth - 1), any -> new ArrayList<>())
                        .add(artifact);
            }
            path.add(artifact);
        }
        return needs;
    }

    private static long size(String artifact) throws IOException {
        try (var jars = Files.newDirectoryStream(HOME.resolve("lib"), artifact + "-[0-9]*.jar")) {
            for (Path jar : jars) {
                return Files.size(jar);
            }
        }
        throw new IOException("There is no jar of " + artifact + " in " + HOME.resolve("lib"));
    }
}
