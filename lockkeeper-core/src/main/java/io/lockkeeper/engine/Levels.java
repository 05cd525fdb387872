package io.lockkeeper.engine;

import io.lockkeeper.spi.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one owner that were not unlocked yet, counted by mode. Where several threads own under one name, each level
 * carries the thread that locked it; for a thread that owns under itself, which is 0 here, a count is enough.
 */
public final class Levels {

    private int writes;
    private int reads;
    private @Nullable List<Level> ofThreads;

    private record Level(boolean writes, long thread) {}

    public int of(Mode mode) {
        return mode instanceof Mode.Exclusive ? writes : reads;
    }

    /** How many there are, of both modes. */
    public int size() {
        return writes + reads;
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    void add(Mode mode, long thread) {
        count(mode, 1);
        if (thread != 0) {
            if (ofThreads == null) {
                ofThreads = new ArrayList<>(1);
            }
            ofThreads.add(new Level(mode instanceof Mode.Exclusive, thread));
        }
    }

    /** Adds what another one has. */
    public void addAll(Levels more) {
        writes += more.writes;
        reads += more.reads;
        if (more.ofThreads != null) {
            if (ofThreads == null) {
                ofThreads = new ArrayList<>(more.ofThreads.size());
            }
            ofThreads.addAll(more.ofThreads);
        }
    }

    /** Whether this thread has a level in that mode; the thread 0 has all of them. */
    public boolean has(Mode mode, long thread) {
        return of(mode) > 0 && (thread == 0 || find(mode, thread) >= 0);
    }

    /** Takes one level away: the latest of this thread, or else the latest of any. There must be one. */
    public void remove(Mode mode, long thread) {
        count(mode, -1);
        if (ofThreads != null) {
            int own = find(mode, thread);
            int latest = own >= 0 ? own : find(mode, 0);
            if (latest >= 0) {
                ofThreads.remove(latest);
            }
        }
    }

    private int find(Mode mode, long thread) {
        List<Level> levels = ofThreads == null ? List.of() : ofThreads;
        for (int i = levels.size() - 1; i >= 0; i--) {
            Level level = levels.get(i);
            if (level.writes == mode instanceof Mode.Exclusive && (thread == 0 || level.thread == thread)) {
                return i;
            }
        }
        return -1;
    }

    private void count(Mode mode, int change) {
        if (mode instanceof Mode.Exclusive) {
            writes += change;
        } else {
            reads += change;
        }
    }
}
