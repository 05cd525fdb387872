package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Name;

/** The metadata for editors names the properties that there are, each with a description. */
class MetadataTest {

    /** Read by conditions, and not part of a class. */
    private static final Set<String> SWITCHES =
            Set.of(
                    "lockkeeper.annotations",
                    "lockkeeper.metrics",
                    "lockkeeper.observations",
                    "management.health.lockkeeper.enabled");

    @Test
    void namesEveryPropertyAndNoOther() throws IOException {
        TreeSet<String> expected = new TreeSet<>(SWITCHES);
        expected.addAll(names("lockkeeper.", LockkeeperProperties.class));
        expected.remove("lockkeeper.transactions");
        expected.addAll(names("lockkeeper.transactions.", LockkeeperProperties.Transactions.class));
        assertThat(described()).containsExactlyElementsOf(expected);
    }

    private static List<String> names(String prefix, Class<?> type) {
        List<String> names = new ArrayList<>();
        Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
        RecordComponent[] components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Name name = parameters[i].getAnnotation(Name.class);
            String own = name == null ? components[i].getName() : name.value();
            names.add(prefix + own.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT));
        }
        return names;
    }

    /** The names of the properties that have a type and a description. */
    private static TreeSet<String> described() throws IOException {
        String text;
        try (InputStream file =
                MetadataTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(file).isNotNull();
            text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
        String properties = text.substring(text.indexOf("\"properties\""), text.indexOf("\"hints\""));
        Matcher found = Pattern.compile(
                        "\"name\": \"([^\"]+)\",\\s+\"type\": \"[^\"]+\",\\s+\"description\": \"[^\"]{20,}\"")
                .matcher(properties);
        TreeSet<String> names = new TreeSet<>();
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }
}
