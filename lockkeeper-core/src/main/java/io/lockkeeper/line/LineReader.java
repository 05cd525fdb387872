package io.lockkeeper.line;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.Loss;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.SemaphoreSize;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of a line; see {@link LineFormat}.
 *
 * <p>It accepts only what a writer can have made: one spelling for each number and character, records in their order, no
 * claim twice, an exclusive grant alone, no token beyond the last one. Anything else is a {@link LineFormatException} and
 * never another exception, also for a text that was made on purpose.
 */
final class LineReader {

    private static final String ORDER = "tkngqbsoe";

    private final String text;
    private final Resource resource;
    private int at;

    private final List<String> keepers = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private final List<StoredGrant> grants = new ArrayList<>();
    private final List<QueuePlace> places = new ArrayList<>();
    private final Map<String, Long> tombstones = new HashMap<>();
    private final List<Endings.Ending> endings = new ArrayList<>();
    private final Set<String> claims = new HashSet<>();
    private final Set<String> operations = new LinkedHashSet<>();
    private final Set<String> ended = new HashSet<>();
    private long lastToken = -1;
    private long newestToken = -1;
    private String lastTold = "";
    private @Nullable StoredSize size;

    LineReader(String text, Resource resource) {
        this.text = text;
        this.resource = resource;
    }

    Snapshot read() {
        if (text.length() > LineFormat.LONGEST) {
            throw new LineFormatException("The line of " + resource + " has " + text.length() + " characters, at most "
                    + LineFormat.LONGEST + " are read; delete it if it is not Lockkeeper's");
        }
        version();
        checksum();
        int end = text.length() - LineFormat.CHECKSUM - 1;
        int order = 0;
        while (at < end) {
            int kind = ORDER.indexOf(text.charAt(at));
            require(kind >= order, "a record out of order");
            order = kind;
            at++;
            record(ORDER.charAt(kind));
            require(at < end && text.charAt(at) == ';', "a record with too many fields");
            at++;
        }
        require(at == end && text.charAt(at) == 'x', "no end");
        require(lastToken >= 0, "no last token");
        boolean hasLine = newestToken >= 0;
        require(hasLine || (grants.isEmpty() && places.isEmpty() && tombstones.isEmpty()), "claims without a line");
        consistent();
        LineState line = hasLine ? new LineState(grants, places, tombstones, newestToken, lastTold) : null;
        return new Snapshot(lastToken, line, sizeWithOperations(), endings);
    }

    private @Nullable StoredSize sizeWithOperations() {
        return size == null
                ? null
                : new StoredSize(
                        new SemaphoreSize(size.number().permits(), size.number().set(), List.copyOf(operations)),
                        size.usedAt());
    }

    private void version() {
        int colon = text.indexOf(';');
        require(text.startsWith(LineFormat.MARK) && colon > LineFormat.MARK.length() && colon < 12, "no version");
        String version = text.substring(LineFormat.MARK.length(), colon);
        require(version.chars().allMatch(c -> c >= '0' && c <= '9'), "no version");
        if (!version.equals(Integer.toString(LineFormat.VERSION))) {
            throw new LineFormatException("The line of " + resource + " is of version " + version
                    + ", this library reads version " + LineFormat.VERSION
                    + "; use the same version of Lockkeeper in all processes");
        }
        at = colon + 1;
    }

    private void checksum() {
        int end = text.length() - LineFormat.CHECKSUM;
        require(end > at, "no checksum");
        // The characters first: a text that is not ASCII has no one spelling in bytes.
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            require(c >= ' ' && c <= '~', "a character that is never written");
        }
        require(
                text.regionMatches(end, LineFormat.checksum(resource, text.substring(0, end)), 0, LineFormat.CHECKSUM),
                "another checksum");
    }

    private void record(char kind) {
        switch (kind) {
            case 't' -> {
                require(lastToken < 0, "two last tokens");
                lastToken = number(0, Long.MAX_VALUE);
            }
            case 'k' -> {
                String keeper = word();
                require(known.add(keeper), "a keeper twice");
                keepers.add(keeper);
            }
            case 'n' -> {
                require(newestToken < 0, "two newest tokens");
                newestToken = number(0, Long.MAX_VALUE);
                lastTold = word();
            }
            case 'g' -> grants.add(grant());
            case 'q' -> places.add(new QueuePlace(claim(), keeper(), mode(), time()));
            case 'b' -> tombstones.put(claim(), time());
            case 's' -> {
                require(size == null, "two sizes");
                int permits = (int) number(1, Integer.MAX_VALUE);
                long usedAt = time();
                size = new StoredSize(new SemaphoreSize(permits, flag(), List.of()), usedAt);
            }
            case 'o' -> {
                require(size != null, "an operation without a size");
                require(operations.add(word()), "an operation twice");
                require(operations.size() <= SemaphoreSize.REMEMBERED, "too many operations");
            }
            default -> {
                String claim = word();
                require(ended.add(claim), "an ending twice");
                endings.add(new Endings.Ending(claim, reason()));
                require(endings.size() <= LineFormat.ENDINGS, "too many endings");
            }
        }
    }

    private StoredGrant grant() {
        String claim = claim();
        String keeper = keeper();
        long first = number(0, Long.MAX_VALUE);
        int count = (int) number(1, Integer.MAX_VALUE);
        require(first <= newestToken - count + 1, "a token beyond the newest one");
        Mode mode = mode();
        long grantedAt = time();
        long expiresAt = time();
        boolean sticky = flag();
        HolderInfo holder = new HolderInfo(keeper(), word(), number(Long.MIN_VALUE, Long.MAX_VALUE), word(), word());
        return new StoredGrant(
                claim, keeper, holder, new TokenCounter.Block(first, count), mode, grantedAt, expiresAt, sticky);
    }

    private void consistent() {
        require(newestToken <= lastToken, "a token beyond the last one");
        for (StoredGrant grant : grants) {
            require(
                    grant.mode().getClass() == grants.get(0).mode().getClass()
                            && (grants.size() == 1 || !(grant.mode() instanceof Mode.Exclusive)),
                    "grants that exclude each other");
        }
        require(
                lastTold.isEmpty() || places.stream().anyMatch(place -> place.claimId.equals(lastTold)),
                "a claim told that does not wait");
    }

    private String claim() {
        String claim = word();
        require(claims.add(claim), "a claim twice");
        return claim;
    }

    private String keeper() {
        return keepers.get((int) number(0, keepers.size() - 1L));
    }

    private Mode mode() {
        String field = field();
        if (field.equals("x")) {
            return Mode.EXCLUSIVE;
        }
        if (field.equals("s")) {
            return Mode.SHARED;
        }
        int dot = field.indexOf('.');
        require(field.startsWith("p") && dot > 0, "an unknown mode");
        long count = number(field.substring(1, dot), 1, Integer.MAX_VALUE);
        // A claim may leave the size to the store, which is written as 0.
        long of = number(field.substring(dot + 1), 0, Integer.MAX_VALUE);
        return Mode.permits((int) count, (int) of);
    }

    private Loss.Reason reason() {
        String field = field();
        for (Loss.Reason reason : Loss.Reason.values()) {
            if (field.length() == 1 && LineWriter.letter(reason) == field.charAt(0)) {
                return reason;
            }
        }
        throw damaged("an unknown reason");
    }

    private boolean flag() {
        String field = field();
        require(field.equals("0") || field.equals("1"), "a flag that is none");
        return field.equals("1");
    }

    private long time() {
        return number(-LineFormat.FARTHEST, LineFormat.FARTHEST);
    }

    private long number(long least, long most) {
        return number(field(), least, most);
    }

    private long number(String field, long least, long most) {
        long number;
        try {
            number = Long.parseLong(field, LineFormat.RADIX);
        } catch (NumberFormatException no) {
            throw damaged("a number that is none");
        }
        require(Long.toString(number, LineFormat.RADIX).equals(field), "a number in another spelling");
        require(number >= least && number <= most, "a number out of range");
        return number;
    }

    private String word() {
        String field = field();
        if (field.indexOf('%') < 0) {
            return field;
        }
        StringBuilder word = new StringBuilder(field.length());
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c != '%') {
                word.append(c);
                continue;
            }
            require(i + 4 < field.length(), "half an escape");
            int unit = 0;
            for (int digit = 1; digit <= 4; digit++) {
                char hex = field.charAt(i + digit);
                require((hex >= '0' && hex <= '9') || (hex >= 'a' && hex <= 'f'), "an escape that is none");
                unit = unit << 4 | Character.digit(hex, 16);
            }
            require(!LineWriter.isPlain((char) unit), "an escape of a plain character");
            word.append((char) unit);
            i += 4;
        }
        return word.toString();
    }

    /** The next field of the record; the comma before it and the semicolon or comma after it are not part of it. */
    private String field() {
        require(text.charAt(at) == ',', "a record with too few fields");
        int from = at + 1;
        int to = from;
        while (to < text.length() && text.charAt(to) != ',' && text.charAt(to) != ';') {
            to++;
        }
        require(to < text.length(), "a record without an end");
        at = to;
        return text.substring(from, to);
    }

    private void require(boolean holds, String found) {
        if (!holds) {
            throw damaged(found);
        }
    }

    private LineFormatException damaged(String found) {
        return new LineFormatException("The line of " + resource + " is damaged at character " + at + " (" + found
                + "); delete it if nothing is held, and all claims are made anew");
    }
}
