package io.lockkeeper.faults.work;

import io.lockkeeper.faults.history.Access;
import io.lockkeeper.faults.history.Access.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * For each name two numbers that its lock guards. U takes every write. F takes the part of a fenced resource: it admits a
 * token that is greater than the last, or the same token of the same hold, and nothing else.
 *
 * <p>Reads of F are checked too. If only writes were: A reads, pauses and loses the lock; B reads; A writes, admitted since B
 * has not written yet; B writes, and A's update is gone.
 */
final class Registers {

    private static final class Cell {
        long plain;
        long fenced;
        long token = Long.MIN_VALUE;
        String holdId = "";
        long touchedAt;
        String touchedBy = "-";
    }

    private final ReentrantLock turn = new ReentrantLock();
    private final Map<String, Cell> cells = new HashMap<>();
    private final Consumer<Access> log;
    private final LongSupplier clock;

    Registers(Consumer<Access> log, LongSupplier clock) {
        this.log = log;
        this.clock = clock;
    }

    /** Answers one request; see {@link RegisterLine} for what can be asked. */
    String answer(String client, String[] request) {
        turn.lock();
        try {
            Cell cell = cells.computeIfAbsent(request[1], name -> new Cell());
            return switch (request[0]) {
                case "touched" -> cell.touchedAt + " " + cell.touchedBy;
                case "look" -> Long.toString(cell.plain);
                case "put" -> plainWrite(cell, client, request);
                case "read" -> fenced(cell, client, request, Kind.FENCED_READ);
                case "write" -> fenced(cell, client, request, Kind.FENCED_WRITE);
                default -> throw new IllegalArgumentException("The registers do not know '" + request[0] + "'");
            };
        } finally {
            turn.unlock();
        }
    }

    private String plainWrite(Cell cell, String client, String[] request) {
        long base = Long.parseLong(request[4]);
        log(Kind.PLAIN_WRITE, client, request, base, cell.plain, true);
        cell.plain = base + 1;
        return "ok";
    }

    private String fenced(Cell cell, String client, String[] request, Kind kind) {
        long token = Long.parseLong(request[2]);
        String holdId = request[3];
        boolean admitted = token > cell.token || (token == cell.token && holdId.equals(cell.holdId));
        long before = cell.fenced;
        long base = kind == Kind.FENCED_WRITE ? Long.parseLong(request[4]) : before;
        if (token > cell.token) {
            cell.touchedAt = clock.getAsLong();
            cell.touchedBy = client;
        }
        if (admitted) {
            cell.token = token;
            cell.holdId = holdId;
            cell.fenced = kind == Kind.FENCED_WRITE ? base + 1 : before;
        }
        log(kind, client, request, base, before, admitted);
        return admitted ? Long.toString(before) : "refused";
    }

    private void log(Kind kind, String client, String[] request, long base, long before, boolean admitted) {
        long token = Long.parseLong(request[2]);
        log.accept(new Access(kind, clock.getAsLong(), request[1], client, token, request[3], base, before, admitted));
    }
}
