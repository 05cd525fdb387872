package io.lockkeeper.line;

import io.lockkeeper.Resource;
import java.util.List;
import java.util.function.UnaryOperator;

/** Takes texts of lines apart and puts them together again, with a checksum that is right. */
final class LineTexts {

    private LineTexts() {}

    /** The records, without the version and the checksum. */
    static List<String> records(String text) {
        String[] parts = text.split(";", -1);
        return List.of(parts).subList(1, parts.length - 1);
    }

    /** The text with each record changed; an empty one is left out. */
    static String change(Resource resource, String text, UnaryOperator<String> change) {
        StringBuilder body = new StringBuilder(text.substring(0, text.indexOf(';') + 1));
        for (String record : records(text)) {
            String changed = change.apply(record);
            if (!changed.isEmpty()) {
                body.append(changed).append(';');
            }
        }
        return seal(resource, body.append('x').toString());
    }

    /** The text that has this body: all up to the checksum. */
    static String seal(Resource resource, String body) {
        return body + LineFormat.checksum(resource, body);
    }

    static boolean isReadable(Resource resource, String text) {
        try {
            LineFormat.read(text, resource, new LeasedStore("s", TokenPolicy.COUNTER));
            return true;
        } catch (LineFormatException refused) {
            return false;
        }
    }

    static long lastToken(LeasedStore store, Resource resource) {
        return store.snapshot(resource, 0).lastToken();
    }
}
