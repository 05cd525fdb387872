package io.lockkeeper.file;

import io.lockkeeper.Family;
import io.lockkeeper.HolderInfo;
import io.lockkeeper.Resource;
import io.lockkeeper.spi.Mode;
import io.lockkeeper.spi.SemaphoreSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * A {@link Ledger} as bytes. A change of this is a new {@link RecordFile#FORMAT}, unless it only adds something at the end, which
 * an older reader leaves out.
 */
final class LedgerFormat {

    private LedgerFormat() {}

    static byte[] toBytes(Ledger ledger) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(ledger.resource.family().key());
            out.writeUTF(ledger.resource.name());
            out.writeLong(ledger.counter);
            out.writeUTF(ledger.boot);
            out.writeInt(ledger.size.permits());
            out.writeBoolean(ledger.purged);
            out.writeInt(ledger.held.size());
            for (Ledger.Held one : ledger.held) {
                out.writeUTF(one.claim());
                out.writeUTF(one.session());
                write(out, one.mode());
                out.writeLong(one.token());
                out.writeInt(one.tokens());
                out.writeLong(one.ends());
                out.writeUTF(one.holder().keeper());
                out.writeUTF(one.holder().host());
                out.writeLong(one.holder().pid());
                out.writeUTF(one.holder().thread());
                out.writeUTF(one.holder().note());
            }
            out.writeInt(ledger.waiting.size());
            for (Ledger.Waiting one : ledger.waiting) {
                out.writeUTF(one.claim());
                out.writeUTF(one.session());
                write(out, one.mode());
                out.writeLong(one.since());
                out.writeLong(one.polled());
            }
            Ledger.Latch latch = ledger.latch;
            out.writeBoolean(latch != null);
            if (latch != null) {
                out.writeLong(latch.generation());
                out.writeInt(latch.target());
                out.writeUTF(latch.begunBy());
                out.writeInt(latch.operations().size());
                for (String operation : latch.operations()) {
                    out.writeUTF(operation);
                }
            }
            if (ledger.size.set()) {
                out.writeBoolean(true);
                out.writeInt(ledger.size.operations().size());
                for (String operation : ledger.size.operations()) {
                    out.writeUTF(operation);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static Ledger parse(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            Ledger ledger = new Ledger(new Resource(new Family(in.readUTF()), in.readUTF()));
            ledger.counter = in.readLong();
            ledger.boot = in.readUTF();
            int permits = in.readInt();
            ledger.purged = in.readBoolean();
            for (int left = in.readInt(); left > 0; left--) {
                ledger.held.add(new Ledger.Held(
                        in.readUTF(),
                        in.readUTF(),
                        readMode(in),
                        in.readLong(),
                        in.readInt(),
                        in.readLong(),
                        new HolderInfo(in.readUTF(), in.readUTF(), in.readLong(), in.readUTF(), in.readUTF())));
            }
            for (int left = in.readInt(); left > 0; left--) {
                ledger.waiting.add(
                        new Ledger.Waiting(in.readUTF(), in.readUTF(), readMode(in), in.readLong(), in.readLong()));
            }
            if (in.readBoolean()) {
                ledger.latch = readLatch(in);
            }
            ledger.size = readSize(in, permits);
            return ledger;
        }
    }

    private static SemaphoreSize readSize(DataInputStream in, int permits) throws IOException {
        boolean set = in.available() > 0 && in.readBoolean();
        List<String> operations = new ArrayList<>();
        for (int left = set ? in.readInt() : 0; left > 0; left--) {
            operations.add(in.readUTF());
        }
        return new SemaphoreSize(permits, set, operations);
    }

    private static Ledger.Latch readLatch(DataInputStream in) throws IOException {
        Ledger.Latch latch = new Ledger.Latch(in.readLong(), in.readInt(), in.readUTF(), new LinkedHashSet<>());
        for (int left = in.readInt(); left > 0; left--) {
            latch.operations().add(in.readUTF());
        }
        return latch;
    }

    private static void write(DataOutputStream out, Mode mode) throws IOException {
        if (mode instanceof Mode.Permits permits) {
            out.writeByte('p');
            out.writeInt(permits.count());
            out.writeInt(permits.of());
        } else {
            out.writeByte(mode instanceof Mode.Shared ? 's' : 'x');
        }
    }

    private static Mode readMode(DataInputStream in) throws IOException {
        byte kind = in.readByte();
        return switch (kind) {
            case 'p' -> Mode.permits(in.readInt(), in.readInt());
            case 's' -> Mode.SHARED;
            case 'x' -> Mode.EXCLUSIVE;
            default -> throw new IOException("there is no mode " + kind);
        };
    }
}
