package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Access;
import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import io.lockkeeper.faults.history.Incident;
import io.lockkeeper.faults.history.Life;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A history written by hand. Moments are in milliseconds. */
final class Histories {

    static final String NAME = "quay";

    private final List<Call> calls = new ArrayList<>();
    private final List<Access> accesses = new ArrayList<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final List<Life> lives = new ArrayList<>();
    private final List<String> stuck = new ArrayList<>();
    private long plain;
    private long fenced;

    /** A client that asked, got the lock, believed to hold it and released it. */
    Histories held(String client, long asked, long got, long believedTo, long token) {
        return call(
                client,
                asked,
                Call.UNTIMED,
                new Answer.Granted(nanos(got), token, id(token), nanos(believedTo), false, false, true));
    }

    Histories call(String client, long asked, long limit, Answer answer) {
        calls.add(new Call(client, NAME, "PLAIN ACQUIRE", limit, nanos(asked), answer));
        return this;
    }

    /** A read and a write of F, both admitted and right. */
    Histories wrote(long at, long token) {
        access(Access.Kind.FENCED_READ, at, token, id(token), fenced, true);
        access(Access.Kind.FENCED_WRITE, at, token, id(token), fenced, true);
        fenced++;
        return this;
    }

    /** A write to U on what was there, or on something older. */
    Histories put(long at, long token, long base) {
        accesses.add(new Access(Access.Kind.PLAIN_WRITE, nanos(at), NAME, "1.0", token, id(token), base, plain, true));
        plain = base + 1;
        return this;
    }

    Histories access(Access.Kind kind, long at, long token, String holdId, long base, boolean admitted) {
        accesses.add(new Access(kind, nanos(at), NAME, "1.0", token, holdId, base, fenced, admitted));
        return this;
    }

    Histories incident(String kind, long begun, long healed, boolean losesGrants) {
        incidents.add(new Incident(kind, "server", nanos(begun), nanos(healed), nanos(healed), losesGrants));
        return this;
    }

    Histories life(String client, Life.End end, Life.Span... stops) {
        lives.add(new Life(client, end, List.of(stops)));
        return this;
    }

    Histories stuck(String name) {
        stuck.add(name);
        return this;
    }

    Verdict verdict() {
        return Checker.check(
                new History(Duration.ofSeconds(1), List.of(NAME), calls, accesses, incidents, lives, stuck));
    }

    static String id(long token) {
        return "hold" + token;
    }

    static long nanos(long millis) {
        return millis * 1_000_000;
    }
}
