package io.lockkeeper.faults.history;

import io.lockkeeper.ExclusiveHold;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a client writes down, at the moment it happens. The first word says what, the second which call, the third when.
 *
 * <pre>
 * ask  N T NAME LIMIT WAY   a call begins; the limit in nanoseconds
 * got  N T TOKEN ID         it returned a hold
 * none N T                  its limit passed
 * fail N T WHY              it threw
 * held N T                  the hold called itself held, asked at T or later
 * seen N T                  the hold called itself lost
 * told N T REASON           the listener was told of the loss
 * end  N T OUTCOME          the release returned
 * </pre>
 */
public final class ClientJournal implements AutoCloseable {

    private final Journal journal;
    private final AtomicLong calls = new AtomicLong();
    private final Set<Long> seen = ConcurrentHashMap.newKeySet();
    private final Set<Long> told = ConcurrentHashMap.newKeySet();

    public ClientJournal(Path path) throws IOException {
        journal = new Journal(path);
    }

    /** @return the number of the call */
    public long ask(String name, long limit, String way) {
        long number = calls.incrementAndGet();
        note("ask", number, now(), name + " " + limit + " " + way);
        return number;
    }

    /** @return when it was got */
    public long got(long number, long at, ExclusiveHold hold) {
        note("got", number, at, hold.token() + " " + hold.id());
        return at;
    }

    public void none(long number) {
        note("none", number, now(), "");
    }

    public void fail(long number, Throwable why) {
        note("fail", number, now(), why.toString().replaceAll("\\s+", " "));
    }

    public void held(long number, long at) {
        note("held", number, at, "");
    }

    public void seen(long number) {
        seen.add(number);
        note("seen", number, now(), "");
    }

    public void told(long number, Object reason) {
        note("told", number, now(), reason.toString());
        told.add(number);
    }

    public void end(long number, Object outcome) {
        note("end", number, now(), outcome.toString());
    }

    /** Whether the listener of every hold that was seen lost has been told by now. */
    public boolean allTold() {
        return told.containsAll(seen);
    }

    public static long now() {
        return System.nanoTime();
    }

    private void note(String what, long number, long at, String rest) {
        journal.note(what + " " + number + " " + at + (rest.isEmpty() ? "" : " " + rest));
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
