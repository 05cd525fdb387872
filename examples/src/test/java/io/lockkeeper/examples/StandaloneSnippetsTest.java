package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each piece of code of a document compiles when it is pasted, as statements or as a method: with nothing but imports, a {@code url}, a {@code
 * dataSource}, and what the page says before it that its examples use. Such code follows the comment {@code <!-- set-up -->}.
 *
 * <p>The pages about Spring are left out. They show methods of an application's beans, which mean something only inside their class; the
 * examples have the whole of it, and run it.
 */
final class StandaloneSnippetsTest {

    private static final Pattern JAVA = Pattern.compile("(?ms)^(<!-- set-up -->\\n)?( *)```java\\n(.*?)^ *```$");

    private static final String IMPORTS = """
            import static java.nio.charset.StandardCharsets.UTF_8;
            import static org.assertj.core.api.Assertions.*;
            import io.lockkeeper.*;
            import io.lockkeeper.etcd.*;
            import io.lockkeeper.jdbc.*;
            import io.lockkeeper.memory.*;
            import io.lockkeeper.quorum.*;
            import io.lockkeeper.redis.*;
            import io.lockkeeper.spi.*;
            import io.lockkeeper.testkit.*;
            import io.lockkeeper.zookeeper.*;
            import java.sql.Connection;
            import java.sql.PreparedStatement;
            import java.sql.ResultSet;
            import java.sql.SQLException;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.*;
            import javax.sql.DataSource;
            import org.apache.zookeeper.*;
            import org.h2.jdbcx.*;
            import org.jspecify.annotations.*;
            """;

    @TempDir
    Path classes;

    static List<Path> documents() throws IOException {
        List<Path> documents = DocumentsTest.documents();
        documents.removeIf(document -> document.getFileName().toString().startsWith("spring"));
        return documents;
    }

    @ParameterizedTest
    @MethodSource("documents")
    void whatIsShownNeedsNothingElse(Path document) throws IOException {
        List<Snippet> snippets = snippets(Files.readString(document));
        Map<String, String> wrong = compile(snippets, "Object run() throws Exception {\n", " return null;\n}");
        // What returns something cannot be followed by another statement.
        Map<String, String> still = compile(among(snippets, wrong), "Object run() throws Exception {\n", "\n}");
        Map<String, String> methods = compile(among(snippets, still), "", "");
        still.keySet().retainAll(methods.keySet());
        assertThat(still.values()).as(document.toString()).isEmpty();
    }

    private static List<Snippet> among(List<Snippet> snippets, Map<String, String> wrong) {
        return snippets.stream().filter(s -> wrong.containsKey(s.name())).toList();
    }

    private record Snippet(String name, String setUp, String code) {}

    private static List<Snippet> snippets(String page) {
        List<Snippet> snippets = new ArrayList<>();
        StringBuilder setUp = new StringBuilder();
        for (MatchResult match : JAVA.matcher(page).results().toList()) {
            String code = match.group(3);
            if (match.group(1) != null) {
                setUp.append(code);
                code = "";
            }
            long line = page.substring(0, match.start()).lines().count() + 1;
            snippets.add(new Snippet("Line" + line, setUp.toString(), code));
        }
        return snippets;
    }

    /** The errors of those that do not compile. */
    private Map<String, String> compile(List<Snippet> snippets, String begin, String end) throws IOException {
        Map<String, String> wrong = new TreeMap<>();
        if (snippets.isEmpty()) {
            return wrong;
        }
        List<JavaFileObject> sources = new ArrayList<>();
        for (Snippet snippet : snippets) {
            // What the page shows before is in fields, so that an example may use the name for something of its own.
            sources.add(new Source(
                    snippet.name(),
                    IMPORTS + "class " + snippet.name() + " { static String url = \"\";\n"
                            + (snippet.setUp().contains("DataSource dataSource =")
                                            || snippet.code().contains("DataSource dataSource =")
                                    ? ""
                                    : "static DataSource dataSource;\n")
                            + snippet.setUp() + begin + snippet.code() + end + "\n}\n"));
        }
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .replace("\n", File.pathSeparator);
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(found, null, null)) {
            List<String> options = List.of("-proc:none", "-cp", path, "-d", classes.toString());
            compiler.getTask(null, files, found, options, null, sources).call();
        }
        for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics()) {
            JavaFileObject source = one.getSource();
            if (one.getKind() == Diagnostic.Kind.ERROR && source != null) {
                String name = ((Source) source).name;
                wrong.merge(name, name + ": " + one.getMessage(Locale.ROOT), (a, b) -> a + "; " + b);
            }
        }
        return wrong;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String name;
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.name = name;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
