package io.lockkeeper.line;

import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Writes the text of a line; see {@link LineFormat}. The same content always makes the same text. */
final class LineWriter {

    private final StringBuilder text = new StringBuilder();
    private final Map<String, Integer> keepers = new LinkedHashMap<>();

    private LineWriter() {}

    static String write(Resource resource, Snapshot snapshot) {
        LineWriter writer = new LineWriter();
        writer.text.append(LineFormat.MARK).append(LineFormat.VERSION).append(';');
        writer.record('t').number(snapshot.lastToken()).end();
        LineState line = snapshot.line();
        if (line != null) {
            writer.line(line);
        }
        StoredSize size = snapshot.size();
        if (size != null) {
            writer.size(size);
        }
        for (Endings.Ending ending : snapshot.endings()) {
            writer.record('e')
                    .word(ending.claimId())
                    .letter(letter(ending.reason()))
                    .end();
        }
        String body = writer.text.append('x').toString();
        return body + LineFormat.checksum(resource, body);
    }

    private void size(StoredSize size) {
        record('s').number(size.number().permits()).time(size.usedAt());
        letter(size.number().set() ? '1' : '0').end();
        size.number()
                .operations()
                .forEach(operation -> record('o').word(operation).end());
    }

    private void line(LineState line) {
        line.grants().forEach(grant -> {
            number(grant.keeperId, keepers);
            number(grant.holder.keeper(), keepers);
        });
        line.places().forEach(place -> number(place.keeperId, keepers));
        keepers.keySet().forEach(keeper -> record('k').word(keeper).end());
        record('n').number(line.newestToken()).word(line.lastTold()).end();
        line.grants().forEach(this::grant);
        for (QueuePlace place : line.places()) {
            record('q')
                    .word(place.claimId)
                    .keeper(place.keeperId)
                    .mode(place.mode)
                    .time(place.stampedAt())
                    .end();
        }
        new TreeMap<>(line.tombstones())
                .forEach((claim, until) -> record('b').word(claim).time(until).end());
    }

    private void grant(StoredGrant grant) {
        record('g').word(grant.claimId).keeper(grant.keeperId);
        number(grant.tokens().first()).number(grant.tokens().count()).mode(grant.mode());
        time(grant.grantedAt).time(grant.expiresAt());
        letter(grant.isSticky() ? '1' : '0').keeper(grant.holder.keeper()).word(grant.holder.host());
        number(grant.holder.pid()).word(grant.holder.thread()).word(grant.holder.note());
        end();
    }

    private static void number(String keeper, Map<String, Integer> keepers) {
        keepers.putIfAbsent(keeper, keepers.size());
    }

    private LineWriter record(char kind) {
        text.append(kind);
        return this;
    }

    private void end() {
        text.append(';');
    }

    private LineWriter number(long number) {
        text.append(',').append(Long.toString(number, LineFormat.RADIX));
        return this;
    }

    private LineWriter time(long nanos) {
        if (nanos < -LineFormat.FARTHEST || nanos > LineFormat.FARTHEST) {
            throw new LineFormatException(
                    "A time of " + nanos + " ns cannot be written in a line; use leases of less than 50 years");
        }
        return number(nanos);
    }

    private LineWriter letter(char letter) {
        text.append(',').append(letter);
        return this;
    }

    private LineWriter keeper(String keeper) {
        Integer known = keepers.get(keeper);
        return number(known == null ? -1 : known);
    }

    private LineWriter mode(Mode mode) {
        if (mode instanceof Mode.Permits permits) {
            text.append(",p").append(Integer.toString(permits.count(), LineFormat.RADIX));
            text.append('.').append(Integer.toString(permits.of(), LineFormat.RADIX));
            return this;
        }
        return letter(mode instanceof Mode.Shared ? 's' : 'x');
    }

    private LineWriter word(String word) {
        text.append(',');
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (isPlain(c)) {
                text.append(c);
            } else {
                text.append('%');
                for (int shift = 12; shift >= 0; shift -= 4) {
                    text.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            }
        }
        return this;
    }

    /** Whether a character stands for itself. */
    static boolean isPlain(char c) {
        return c >= ' ' && c <= '~' && c != ',' && c != ';' && c != '%';
    }

    static char letter(Loss.Reason reason) {
        return switch (reason) {
            case EXPIRED -> 'e';
            case TAKEN -> 't';
            case RELEASED_ELSEWHERE -> 'r';
            case SESSION_ENDED -> 's';
            case FORCED -> 'f';
            case KEEPER_CLOSED -> 'c';
            case FORGOTTEN -> 'g';
        };
    }
}
