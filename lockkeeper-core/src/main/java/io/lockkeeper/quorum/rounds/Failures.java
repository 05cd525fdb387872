package io.lockkeeper.quorum.rounds;

import io.lockkeeper.StoreUnavailableException;
import java.util.Map;
import java.util.TreeMap;

/** The failures of a round, by member. */
public final class Failures {

    private final int members;
    private final Map<Integer, RuntimeException> byMember = new TreeMap<>();

    public Failures(int members) {
        this.members = members;
    }

    /** What a member threw, as a failure: it may have executed the request. */
    public static RuntimeException of(Throwable thrown) {
        return thrown instanceof RuntimeException failure
                ? failure
                : new StoreUnavailableException("The request failed by " + thrown, thrown);
    }

    public void add(int member, RuntimeException failure) {
        byMember.put(member, failure);
    }

    void clear() {
        byMember.clear();
    }

    /** How many members something went wrong with. */
    public int count() {
        return byMember.size();
    }

    /** The message tells of each member, and each one's exception is attached. */
    public StoreUnavailableException asException(String summary) {
        StringBuilder message = new StringBuilder(summary);
        String separator = ": ";
        for (Map.Entry<Integer, RuntimeException> entry : byMember.entrySet()) {
            message.append(separator)
                    .append("member ")
                    .append(entry.getKey() + 1)
                    .append(" of ")
                    .append(members)
                    .append(": ")
                    .append(entry.getValue().getMessage());
            separator = "; ";
        }
        StoreUnavailableException exception = new StoreUnavailableException(message.toString());
        byMember.values().forEach(exception::addSuppressed);
        return exception;
    }
}
