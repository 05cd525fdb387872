package io.lockkeeper.cli;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.ResourceState;
import io.lockkeeper.ResourceState.Grant;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** States of resources, for people and for programs. */
final class Listing {

    /** A grant that lasts longer than this ends with its process, not with a lease. */
    private static final Duration ENDLESS = Duration.ofDays(365);

    private Listing() {}

    static String table(List<ResourceState> states) {
        Table table = new Table("FAMILY", "NAME", "HOLDER", "HOW", ">TOKEN", ">HELD FOR", ">REMAINING", ">WAITING");
        for (ResourceState state : states) {
            String family = state.resource().family().key();
            String name = Table.visible(state.resource().name());
            String waiting = Integer.toString(state.waiting());
            if (state.grants().isEmpty()) {
                table.row(family, name, "-", "-", "-", "-", "-", waiting);
            }
            for (Grant grant : state.grants()) {
                table.row(
                        family,
                        name,
                        Table.visible(grant.holder().toString()),
                        how(grant, state),
                        Long.toString(grant.token()),
                        grant.heldFor().isZero() ? "-" : Durations.show(grant.heldFor()),
                        endless(grant) ? "no end" : Durations.show(grant.remaining()),
                        waiting);
            }
        }
        return table.toString();
    }

    private static String how(Grant grant, ResourceState state) {
        if (grant.permits() > 0) {
            return grant.permits() + " of " + state.permits();
        }
        return grant.shared() ? "shared" : "alone";
    }

    static String json(List<ResourceState> states) {
        return states.stream().map(Listing::json).collect(Collectors.joining(",\n ", "[", "]"));
    }

    private static String json(ResourceState state) {
        return "{\"family\":" + quoted(state.resource().family().key())
                + ",\"name\":" + quoted(state.resource().name())
                + ",\"permits\":" + state.permits()
                + ",\"waiting\":" + state.waiting()
                + ",\"grants\":"
                + state.grants().stream().map(Listing::json).collect(Collectors.joining(",", "[", "]"))
                + "}";
    }

    private static String json(Grant grant) {
        HolderInfo holder = grant.holder();
        return "{\"host\":" + quoted(holder.host())
                + ",\"pid\":" + holder.pid()
                + ",\"thread\":" + quoted(holder.thread())
                + ",\"note\":" + quoted(holder.note())
                + ",\"keeper\":" + quoted(holder.keeper())
                + ",\"token\":" + grant.token()
                + ",\"shared\":" + grant.shared()
                + ",\"permits\":" + grant.permits()
                + ",\"heldForMillis\":" + grant.heldFor().toMillis()
                + ",\"remainingMillis\":"
                + (endless(grant) ? "null" : grant.remaining().toMillis())
                + "}";
    }

    private static boolean endless(Grant grant) {
        return grant.remaining().compareTo(ENDLESS) > 0;
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
