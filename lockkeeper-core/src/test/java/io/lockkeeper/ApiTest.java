package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The public API is as {@code api.txt} lists it, so that a change of it is seen in review. There is no release to compare with yet;
 * a tool that compares class files can take this over once there is one.
 *
 * <p>To accept a change: {@code mvn -o test -pl lockkeeper-core -Dtest=ApiTest -Dapi.accept=true}, and commit the file.
 */
class ApiTest {

    private static final Path LIST = Path.of("api.txt");

    /** The packages that the module exports to everybody. */
    private static final List<String> PACKAGES = List.of(
            "io.lockkeeper", "io.lockkeeper.file", "io.lockkeeper.memory", "io.lockkeeper.quorum", "io.lockkeeper.spi");

    @Test
    void thePublicApiIsAsListed() throws Exception {
        List<String> now = api();
        assertThat(now).as("public types and members that were found").hasSizeGreaterThan(300);
        if (Boolean.getBoolean("api.accept")) {
            Files.write(LIST, now);
        }
        List<String> listed = Files.readAllLines(LIST);
        List<String> added = withTypes(now);
        added.removeAll(withTypes(listed));
        List<String> removed = withTypes(listed);
        removed.removeAll(withTypes(now));
        assertThat(added.isEmpty() && removed.isEmpty())
                .as(
                        "The public API differs from lockkeeper-core/api.txt.%nAdded:%n%s%nRemoved:%n%s%nIf that is meant, run"
                                + " mvn -o test -pl lockkeeper-core -Dtest=ApiTest -Dapi.accept=true and commit the file",
                        String.join("\n", added), String.join("\n", removed))
                .isTrue();
    }

    /** Each member with its type, since many types have members that read the same. */
    private static List<String> withTypes(List<String> lines) {
        List<String> all = new ArrayList<>();
        String type = "";
        for (String line : lines) {
            boolean member = line.startsWith("  ");
            type = member ? type : line;
            all.add(member ? type + " |" + line : line);
        }
        return all;
    }

    private static List<String> api() throws Exception {
        Path code = Path.of(Lockkeeper.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> lines = new ArrayList<>();
        for (String name : PACKAGES) {
            for (Class<?> type : publicTypes(code, name)) {
                lines.add(typeLine(type));
                lines.addAll(members(type));
            }
        }
        return lines;
    }

    private static List<Class<?>> publicTypes(Path code, String packageName) throws IOException {
        Path folder = code.resolve(packageName.replace('.', '/'));
        TreeSet<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .map(file -> packageName + "." + file.substring(0, file.length() - ".class".length()))
                    .forEach(names::add);
        }
        List<Class<?>> types = new ArrayList<>();
        for (String name : names) {
            Class<?> type = load(name);
            if (isVisible(type)) {
                types.add(type);
            }
        }
        return types;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, Lockkeeper.class.getClassLoader());
        } catch (ClassNotFoundException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether it and everything around it can be named outside of its package. */
    private static boolean isVisible(Class<?> type) {
        if (type.isAnonymousClass() || type.isLocalClass() || type.isSynthetic()) {
            return false;
        }
        Class<?> outer = type.getDeclaringClass();
        return isVisible(type.getModifiers()) && (outer == null || isVisible(outer));
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String typeLine(Class<?> type) {
        String kind = type.isAnnotation()
                ? "annotation"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        String above = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(Type::getTypeName)
                .filter(name -> !name.equals("java.lang.Object") && !name.startsWith("java.lang.Enum<"))
                .sorted()
                .collect(Collectors.joining(", "));
        boolean open = !type.isInterface() && !Modifier.isFinal(type.getModifiers());
        String modifier = type.isSealed() ? "sealed " : open && !type.isEnum() ? "open " : "";
        return (modifier + kind + " " + type.getName() + variables(type.getTypeParameters())).strip()
                + (above.isEmpty() ? "" : " : " + above);
    }

    private static TreeSet<String> members(Class<?> type) {
        TreeSet<String> lines = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
                lines.add(
                        "  " + modifiers(field.getModifiers()) + type(field.getGenericType()) + " " + field.getName());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic()) {
                lines.add("  new(" + parameters(constructor) + ")");
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
                String deprecated = method.isAnnotationPresent(Deprecated.class) ? "deprecated " : "";
                String implemented = method.isDefault() ? "default " : "";
                lines.add("  " + deprecated + implemented + modifiers(method.getModifiers())
                        + variables(method.getTypeParameters()) + type(method.getGenericReturnType()) + " "
                        + method.getName() + "(" + parameters(method) + ")" + thrown(method));
            }
        }
        return lines;
    }

    private static String modifiers(int modifiers) {
        return (Modifier.isProtected(modifiers) ? "protected " : "") + (Modifier.isStatic(modifiers) ? "static " : "");
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables)
                        .map(variable -> variable.getName() + bounds(variable))
                        .collect(Collectors.joining(", ", "<", "> "));
    }

    private static String bounds(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getBounds())
                .map(Type::getTypeName)
                .filter(name -> !name.equals("java.lang.Object"))
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? "" : " extends " + bounds;
    }

    private static String parameters(Executable executable) {
        return Arrays.stream(executable.getParameters())
                .map(Parameter::getParameterizedType)
                .map(ApiTest::type)
                .collect(Collectors.joining(", "));
    }

    private static String thrown(Method method) {
        return method.getExceptionTypes().length == 0
                ? ""
                : Arrays.stream(method.getGenericExceptionTypes())
                        .map(ApiTest::type)
                        .sorted()
                        .collect(Collectors.joining(", ", " throws ", ""));
    }

    private static String type(Type type) {
        return type.getTypeName().replace("java.lang.", "").replace("java.util.concurrent.", "");
    }
}
