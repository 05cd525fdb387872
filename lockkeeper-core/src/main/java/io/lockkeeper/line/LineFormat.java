package io.lockkeeper.line;

import io.lockkeeper.Resource;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The text form of one resource's line, for a store that keeps it outside the process, such as in a row of a table: read
 * the text into a {@link LeasedStore}, take one step there, write the text back, all in one transaction.
 *
 * <p><b>Invariants.</b> A line that is written and read between two steps answers every later step as one that stayed in
 * memory does. A text that is not exactly what a writer of a known version made for this resource is refused, with one
 * sentence and before anything is changed. Were half of a damaged text accepted, a lost grant would be granted a second
 * time; were a lower token accepted, a guard would let an old holder pass.
 *
 * <p><b>Version 1.</b> {@code lk1;}, then records, then the checksum. A record is a letter and fields, separated by commas
 * and ended by a semicolon. The records come in this order:
 *
 * <pre>
 * t  the last token of the store                                                          once
 * k  keeper                                                          numbered from 0, each once
 * n  the newest token of the line, the claim last told or nothing          once if there is a line
 * g  claim, keeper, first token, number of tokens, mode, granted at, expires at,
 *    sticky, and of the holder: keeper, host, pid, thread, note               in order of grant
 * q  claim, keeper, mode, stamped at                                        in order of arrival
 * b  claim, until                                                      a tombstone; by claim id
 * s  permits, last used at, whether it was set in the store                       at most once
 * o  an operation that changed the size                                in order; at most 100
 * e  claim, reason                                                     why a grant ended
 * x  eight hex digits: CRC-32C of family, name and all that stands before
 * </pre>
 *
 * <p>Numbers are to the base 36, times are nanoseconds of the store's clock. Text is printable ASCII; any other character,
 * and the comma, the semicolon and the percent sign, are {@code %} and four hex digits of its UTF-16 unit, so that no
 * character set, collation or NUL byte matters. The checksum includes the resource, so the text of another row is refused.
 * It finds damage, not malice: the content is checked in full as well.
 *
 * <p><b>Bounds.</b> A text has at most {@value #LONGEST} characters, which is several thousand waiting claims, and the last
 * {@value #ENDINGS} endings. Latches are not part of it.
 */
public final class LineFormat {

    /** No text is longer. */
    static final int LONGEST = 1_000_000;

    /** How many endings are kept with a line: their holders learn the reason at their next renewal. */
    static final int ENDINGS = 32;

    /** No time is farther from 0, so that differences do not overflow; in nanoseconds since 1970 it is the year 2116. */
    static final long FARTHEST = Long.MAX_VALUE / 2;

    static final int VERSION = 1;
    static final String MARK = "lk";
    static final int RADIX = 36;
    static final int CHECKSUM = 8;

    private LineFormat() {}

    /**
     * Writes what the store knows of a resource.
     *
     * @throws LineFormatException if the text would be longer than a reader accepts, or a lease ends after the year 2116
     */
    public static String write(LeasedStore store, Resource resource) {
        return write(resource, store.snapshot(resource, ENDINGS));
    }

    static String write(Resource resource, Snapshot snapshot) {
        String text = LineWriter.write(resource, snapshot);
        if (text.length() > LONGEST) {
            throw new LineFormatException("The line of " + resource + " needs " + text.length()
                    + " characters, at most " + LONGEST + " can be kept; let fewer claims wait for it");
        }
        return text;
    }

    /**
     * Replaces what the store knows of a resource by what the text says.
     *
     * @throws LineFormatException if the text is damaged, too long, of another resource or of an unknown version; the store
     *     is as it was then
     */
    public static void read(String text, Resource resource, LeasedStore into) {
        into.restore(resource, parse(text, resource));
    }

    static Snapshot parse(String text, Resource resource) {
        return new LineReader(text, resource).read();
    }

    static String checksum(Resource resource, String body) {
        CRC32C crc = new CRC32C();
        // NUL ends the family and cannot be part of one.
        crc.update((resource.family().key() + '\0' + resource.name() + '\0').getBytes(StandardCharsets.UTF_8));
        crc.update(body.getBytes(StandardCharsets.UTF_8));
        String hex = Long.toHexString(crc.getValue());
        return "0".repeat(CHECKSUM - hex.length()) + hex;
    }
}
