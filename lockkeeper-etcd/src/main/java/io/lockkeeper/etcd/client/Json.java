package io.lockkeeper.etcd.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of JSON as etcd's gateway writes it: fields that are zero or empty are left out, 64-bit numbers are texts, and names are in
 * snake case or, from some versions on, in camel case. So each is asked for by its name in snake case, and something that is not
 * there is zero or empty.
 *
 * <p><b>Invariant.</b> Any bytes become a value or a {@link MalformedException}; nothing else is thrown, and the depth is bounded, so
 * that no text ends the thread with a stack overflow.
 */
public final class Json {

    /** How many objects and arrays may be inside each other. */
    static final int DEEPEST = 32;

    private static final Json NOTHING = new Json("");

    /** A map, a list, or the text of anything else. */
    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    /** Thrown when a text is not JSON, or not what etcd writes. */
    public static final class MalformedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MalformedException(String message) {
            super(message);
        }
    }

    /** Reads the one value that these bytes are. */
    public static Json read(byte[] bytes) {
        Reader reader = new Reader(bytes);
        Json value = reader.value(0);
        reader.end();
        return value;
    }

    /** The field of that name, in snake case; an empty value if there is none. */
    Json at(String name) {
        if (!(value instanceof Map<?, ?> fields)) {
            return NOTHING;
        }
        Object field = fields.get(name);
        if (field == null && name.indexOf('_') > 0) {
            field = fields.get(camel(name));
        }
        return field instanceof Json json ? json : NOTHING;
    }

    boolean has(String name) {
        return at(name) != NOTHING;
    }

    private static String camel(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char each = name.charAt(i);
            text.append(each == '_' ? Character.toUpperCase(name.charAt(++i)) : each);
        }
        return text.toString();
    }

    /** The elements of an array; none if it is something else. */
    List<Json> elements() {
        List<Json> elements = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (Object each : list) {
                elements.add((Json) each);
            }
        }
        return elements;
    }

    /** A text, or the text of a number or of true and false; empty if it is something else. */
    String text() {
        return value instanceof String text ? text : "";
    }

    boolean isTrue() {
        return value.equals("true");
    }

    /** A number, or a text that is one; 0 if it is not there. */
    long number() {
        String text = text();
        if (text.isEmpty()) {
            return 0;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notOne) {
            throw new MalformedException("A number is expected");
        }
    }

    /** Bytes, which JSON has in base64. */
    byte[] bytes() {
        try {
            return java.util.Base64.getDecoder().decode(text());
        } catch (IllegalArgumentException notThat) {
            throw new MalformedException("Bytes are expected in base64");
        }
    }

    private static final class Reader {

        private final byte[] bytes;
        private int position;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        private int peek() {
            while (position < bytes.length
                    && (bytes[position] == ' '
                            || bytes[position] == '\n'
                            || bytes[position] == '\r'
                            || bytes[position] == '\t')) {
                position++;
            }
            return position < bytes.length ? bytes[position] : -1;
        }

        void end() {
            if (peek() != -1) {
                throw malformed();
            }
        }

        Json value(int depth) {
            if (depth > DEEPEST) {
                throw new MalformedException("Values are nested deeper than " + DEEPEST);
            }
            return switch (peek()) {
                case '{' -> object(depth);
                case '[' -> array(depth);
                case '"' -> new Json(string());
                default -> new Json(word());
            };
        }

        private Json object(int depth) {
            Map<String, Json> fields = new HashMap<>();
            position++;
            if (peek() == '}') {
                position++;
                return new Json(fields);
            }
            while (true) {
                if (peek() != '"') {
                    throw malformed();
                }
                String name = string();
                expect(':');
                fields.put(name, value(depth + 1));
                if (!another('}')) {
                    return new Json(fields);
                }
            }
        }

        private Json array(int depth) {
            List<Json> elements = new ArrayList<>();
            position++;
            if (peek() == ']') {
                position++;
                return new Json(elements);
            }
            while (true) {
                elements.add(value(depth + 1));
                if (!another(']')) {
                    return new Json(elements);
                }
            }
        }

        private boolean another(char close) {
            int next = peek();
            position++;
            if (next != ',' && next != close) {
                throw malformed();
            }
            return next == ',';
        }

        private void expect(char what) {
            if (peek() != what) {
                throw malformed();
            }
            position++;
        }

        private String string() {
            int start = ++position;
            while (position < bytes.length && bytes[position] != '"' && bytes[position] != '\\') {
                position++;
            }
            String plain = new String(bytes, start, position - start, StandardCharsets.UTF_8);
            if (position < bytes.length && bytes[position] == '"') {
                position++;
                return plain;
            }
            return escaped(new StringBuilder(plain));
        }

        private String escaped(StringBuilder text) {
            while (position < bytes.length) {
                int start = position;
                while (position < bytes.length && bytes[position] != '"' && bytes[position] != '\\') {
                    position++;
                }
                text.append(new String(bytes, start, position - start, StandardCharsets.UTF_8));
                if (position < bytes.length && bytes[position++] == '"') {
                    return text.toString();
                }
                if (position < bytes.length) {
                    text.append(escape(bytes[position++]));
                }
            }
            throw malformed();
        }

        private char escape(byte letter) {
            return switch (letter) {
                case '"', '\\', '/' -> (char) letter;
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'u' -> unicode();
                default -> throw malformed();
            };
        }

        private char unicode() {
            if (position + 4 > bytes.length) {
                throw malformed();
            }
            int code = 0;
            for (int i = 0; i < 4; i++) {
                int digit = Character.digit((char) (bytes[position++] & 0xff), 16);
                if (digit < 0) {
                    throw malformed();
                }
                code = code * 16 + digit;
            }
            return (char) code;
        }

        /** A number, true, false or null, as its text; null is empty. */
        private String word() {
            int start = position;
            while (position < bytes.length && isPartOfWord(bytes[position])) {
                position++;
            }
            if (start == position) {
                throw malformed();
            }
            String word = new String(bytes, start, position - start, StandardCharsets.US_ASCII);
            return word.equals("null") ? "" : word;
        }

        private static boolean isPartOfWord(byte letter) {
            return (letter >= '0' && letter <= '9')
                    || (letter >= 'a' && letter <= 'z')
                    || letter == '-'
                    || letter == '+'
                    || letter == '.'
                    || letter == 'E';
        }

        private MalformedException malformed() {
            return new MalformedException("The text is not JSON at byte " + position);
        }
    }

    /** For tests and messages. */
    @Override
    public String toString() {
        return String.valueOf(value);
    }

    /** A text in quotes. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == '"' || each == '\\') {
                quoted.append('\\').append(each);
            } else if (each < ' ') {
                quoted.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) each));
            } else {
                quoted.append(each);
            }
        }
        return quoted.append('"').toString();
    }

    /** Bytes of UTF-8 in base64, in quotes. */
    static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    static String base64(byte[] bytes) {
        return "\"" + java.util.Base64.getEncoder().encodeToString(bytes) + "\"";
    }

    /** The fields that it has, by name; for tests. */
    @Nullable
    Map<?, ?> fields() {
        return value instanceof Map<?, ?> fields ? fields : null;
    }
}
