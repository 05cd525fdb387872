package io.lockkeeper.file;

import io.lockkeeper.Loss;
import io.lockkeeper.spi.Answer;
import io.lockkeeper.spi.Claim;
import io.lockkeeper.spi.Clocks;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.Release;
import io.lockkeeper.spi.Renewal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The operations on claims, on one of the {@link FileThreads}: each method is one look at, or one change of, a ledger. */
final class GrantOperations {

    private final Clocks clocks;
    private final Tombstones tombstones;

    GrantOperations(Clocks clocks, Tombstones tombstones) {
        this.clocks = clocks;
        this.tombstones = tombstones;
    }

    private long mono() {
        return clocks.now().mono();
    }

    private long micros() {
        return clocks.now().wall() / 1_000;
    }

    private long millis() {
        return clocks.now().wall() / 1_000_000;
    }

    /** See {@link io.lockkeeper.spi.Store#attempt}. */
    Answer attempt(Claim claim, ClaimRecord record, FolderAccess in, Deadline deadline) {
        if (record.isAgain()) {
            // Most polls get nothing, and should not be in the way of other processes then.
            Ledger seen = OpenLedger.peek(in.folder(), claim.resource(), deadline);
            if (seen != null && seen.held(claim.id()) == null && seen.isStamped(claim.id(), millis())) {
                if (!admits(seen, claim, in, deadline)) {
                    return new Answer.Wait(record.refused(claim, seen.place(claim.id()), mono()));
                }
            }
        }
        try (OpenLedger open = OpenLedger.open(in.folder(), claim.resource(), deadline)) {
            return decide(claim, record, open, in, deadline);
        }
    }

    private Answer decide(Claim claim, ClaimRecord record, OpenLedger open, FolderAccess in, Deadline deadline) {
        Ledger ledger = open.ledger();
        // First this, then the question; a release does it the other way round. So one of the two sees the other.
        record.written = true;
        if (tombstones.covers(claim.id(), mono())) {
            return new Answer.Refused(
                    Answer.Cause.RELEASED, "The claim on " + claim.resource() + " was released before; take a new id");
        }
        Ledger.Held held = ledger.held(claim.id());
        if (held != null && in.owns(held) && !held.isOver()) {
            if (claim.fixed()) {
                ledger.extend(held, claim);
                open.save();
            }
            return granted(held, claim);
        }
        ledger.end(claim.id());
        Answer refusal = claim.mode() instanceof Mode.Permits permits ? checkSize(ledger, permits) : null;
        if (refusal != null) {
            if (ledger.leave(claim.id())) {
                open.save();
            }
            return refusal;
        }
        if (admits(ledger, claim, in, deadline)) {
            Ledger.Held grant = ledger.grant(claim, in.session().id(), micros());
            in.ceiling().cover(in.folder(), ledger.counter, deadline);
            open.save();
            return granted(grant, claim);
        }
        boolean note = claim.queueing() != Claim.Queueing.NEVER && record.isAgain();
        if (note && !ledger.isStamped(claim.id(), millis())) {
            ledger.queue(claim, in.session().id(), millis());
            open.save();
        }
        int place = ledger.place(claim.id());
        record.written = place >= 0;
        return new Answer.Wait(record.refused(claim, place, mono()));
    }

    private static Answer granted(Ledger.Held grant, Claim claim) {
        Duration validity = claim.fixed() ? claim.lease() : Answer.FOREVER;
        return new Answer.Granted(grant.token(), grant.tokens(), validity);
    }

    private boolean admits(Ledger ledger, Claim claim, FolderAccess in, Deadline deadline) {
        if (ledger.admits(claim, millis())) {
            return true;
        }
        ledger.bury(session -> in.isAlive(session, deadline));
        return ledger.admits(claim, millis());
    }

    private static @Nullable Answer checkSize(Ledger ledger, Mode.Permits wanted) {
        if (!ledger.size.accepts(wanted.of())) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The " + ledger.resource + " has " + ledger.size.permits() + " permits in the store, not "
                            + wanted.of() + "; use that number or change it with resize");
        }
        if (wanted.of() > 0 && wanted.count() > wanted.of()) {
            return new Answer.Refused(
                    Answer.Cause.FINAL,
                    "The " + ledger.resource + " has " + wanted.of() + " permits, so " + wanted.count()
                            + " at once can never be had; ask for fewer or resize it");
        }
        ledger.size = ledger.size.usedWith(wanted.of());
        return null;
    }

    /** @return whether it held */
    boolean end(Release release, Folder folder, Deadline deadline) {
        try (OpenLedger open = OpenLedger.find(folder, release.resource(), deadline)) {
            if (open == null) {
                return false;
            }
            Ledger.Held held = open.ledger().held(release.claimId());
            boolean listed = open.ledger().end(release.claimId());
            boolean waited = open.ledger().leave(release.claimId());
            if (listed || waited) {
                open.save();
            }
            return held != null && !held.isOver();
        }
    }

    /** See {@link io.lockkeeper.spi.Store#renew}. */
    Renewal renew(Claim claim, FolderAccess in, Deadline deadline) {
        try {
            Ledger ledger = OpenLedger.peek(in.folder(), claim.resource(), deadline);
            Ledger.Held held = ledger == null ? null : ledger.held(claim.id());
            if (held == null) {
                // What was read while another process writes is no reason to report a loss.
                ledger = exactly(claim, in, deadline);
                held = ledger == null ? null : ledger.held(claim.id());
            }
            if (ledger == null || held == null) {
                return new Renewal.Gone(Loss.Reason.TAKEN);
            }
            if (held.isOver()) {
                return new Renewal.Gone(Loss.Reason.EXPIRED);
            }
            return in.owns(held)
                    ? new Renewal.Kept(
                            held.remaining(), ledger.othersWait(in.session().id(), millis()))
                    : new Renewal.Gone(Loss.Reason.SESSION_ENDED);
        } catch (RuntimeException e) {
            return new Renewal.Unknown(e);
        }
    }

    /** See {@link io.lockkeeper.spi.ExtendingStore#extend}. */
    Renewal extend(Claim claim, FolderAccess in, Deadline deadline) {
        try (OpenLedger open = OpenLedger.find(in.folder(), claim.resource(), deadline)) {
            Ledger.Held held = open == null ? null : open.ledger().held(claim.id());
            if (open == null || held == null) {
                return new Renewal.Gone(Loss.Reason.TAKEN);
            }
            if (held.isOver()) {
                return new Renewal.Gone(Loss.Reason.EXPIRED);
            }
            if (!in.owns(held)) {
                return new Renewal.Gone(Loss.Reason.SESSION_ENDED);
            }
            open.ledger().extend(held, claim);
            open.save();
            return new Renewal.Kept(
                    claim.lease(), open.ledger().othersWait(in.session().id(), millis()));
        }
    }

    private static @Nullable Ledger exactly(Claim claim, FolderAccess in, Deadline deadline) {
        try (OpenLedger open = OpenLedger.find(in.folder(), claim.resource(), deadline)) {
            return open == null ? null : open.ledger();
        }
    }

    /** See {@link io.lockkeeper.spi.NarrowingStore#narrow}. */
    boolean narrow(Claim held, Mode to, Folder folder, Deadline deadline) {
        try (OpenLedger open = OpenLedger.find(folder, held.resource(), deadline)) {
            if (open == null || !open.ledger().narrow(held.id(), to)) {
                return false;
            }
            open.save();
            return true;
        }
    }
}
