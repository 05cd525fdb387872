package io.lockkeeper.jdbc;

import io.lockkeeper.Family;
import io.lockkeeper.Resource;
import io.lockkeeper.line.LeasedStore;
import io.lockkeeper.spi.Keeper;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * The text of notifications between keepers: family, name, and the claim that is recalled, if one is, separated by characters
 * that none of them has after encoding. The channel of a keeper is its id, so only the keeper that is meant hears it.
 */
final class Notification {

    private static final char SEPARATOR = '\n';

    private Notification() {}

    /** The channel of a keeper. Ids of keepers are letters and digits. */
    static String channel(String keeperId) {
        return "lk_" + keeperId;
    }

    /**
     * A payload that tells nothing, by which a keeper finds out whether it is heard. Each one is new: behind a pooler the probe of
     * another keeper may have come on a connection that this keeper listens on later.
     */
    static String probe() {
        return "probe " + UUID.randomUUID();
    }

    static String payload(LeasedStore.Signal signal) {
        return signal.resource().family().key()
                + SEPARATOR
                + plain(signal.resource().name())
                + SEPARATOR
                + plain(signal.recalled());
    }

    /** Passes a notification on to its keeper. Anything else on the channel is ignored. */
    static void deliver(String payload, Keeper keeper) {
        String[] parts = payload.split("\n", -1);
        if (parts.length != 3) {
            return;
        }
        Resource resource;
        try {
            resource = new Resource(new Family(parts[0]), original(parts[1]));
        } catch (IllegalArgumentException notOurs) {
            return;
        }
        new LeasedStore.Signal(keeper.id(), resource, original(parts[2])).tell(keeper);
    }

    private static String plain(String text) {
        return KeyText.encode(text).replace("\n", "\\n");
    }

    private static String original(String plain) {
        StringBuilder text = new StringBuilder(plain.length());
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c == '\\' && i + 1 < plain.length()) {
                i++;
                char escaped = plain.charAt(i);
                text.append(escaped == '0' ? '\0' : escaped == 'n' ? '\n' : escaped);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** The channels of signals as the text of a PostgreSQL array. */
    static String channels(List<LeasedStore.Signal> signals) {
        return array(signals, signal -> channel(signal.keeperId()));
    }

    /** The payloads of signals as the text of a PostgreSQL array. */
    static String payloads(List<LeasedStore.Signal> signals) {
        return array(signals, Notification::payload);
    }

    private static String array(List<LeasedStore.Signal> signals, Function<LeasedStore.Signal, String> text) {
        StringBuilder array = new StringBuilder("{");
        for (LeasedStore.Signal signal : signals) {
            if (array.length() > 1) {
                array.append(',');
            }
            array.append('"')
                    .append(text.apply(signal).replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return array.append('}').toString();
    }
}
