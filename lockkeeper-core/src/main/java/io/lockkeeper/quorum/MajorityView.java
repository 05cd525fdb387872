package io.lockkeeper.quorum;

import io.lockkeeper.HolderInfo;
import io.lockkeeper.ResourceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a resource as a majority of the members sees it. A grant is shown if a quorum of members has it or may have it: a
 * member that did not answer may have what others have. Were it counted as one that has nothing, a hold would disappear from sight
 * because one of its members is slow. Grants of the same kind and holder cannot be told apart on different members, so they are counted.
 *
 * <p>Two candidates for one lock may each have so many members that the silent ones could make it a quorum, but only one of them holds it.
 * So what is exclusive is shown for the one that most members have, and for nobody if two have as many.
 */
final class MajorityView {

    private record Kind(HolderInfo holder, boolean shared, int permits) {

        boolean isExclusive() {
            return !shared && permits == 0;
        }
    }

    private MajorityView() {}

    /**
     * @param states one of each member that knows the resource
     * @param silent how many members did not answer
     */
    static Optional<ResourceState> of(List<ResourceState> states, int quorum, int silent) {
        int enough = Math.max(1, quorum - silent);
        Map<Kind, List<List<ResourceState.Grant>>> byKind = new LinkedHashMap<>();
        for (ResourceState state : states) {
            Map<Kind, List<ResourceState.Grant>> here = new LinkedHashMap<>();
            for (ResourceState.Grant grant : state.grants()) {
                here.computeIfAbsent(
                                new Kind(grant.holder(), grant.shared(), grant.permits()), kind -> new ArrayList<>())
                        .add(grant);
            }
            here.forEach((kind, grants) ->
                    byKind.computeIfAbsent(kind, k -> new ArrayList<>()).add(grants));
        }
        leaveOneExclusive(byKind);
        List<ResourceState.Grant> shown = new ArrayList<>();
        byKind.forEach((kind, perMember) -> shown.addAll(agreed(kind, perMember, enough)));
        if (shown.isEmpty()) {
            return Optional.empty();
        }
        shown.sort(Comparator.comparingLong(ResourceState.Grant::token));
        int permits = mostFrequent(states.stream().map(ResourceState::permits).toList());
        return Optional.of(new ResourceState(states.get(0).resource(), List.copyOf(shown), 0, permits));
    }

    private static void leaveOneExclusive(Map<Kind, List<List<ResourceState.Grant>>> byKind) {
        int most = 0;
        boolean alone = true;
        for (Map.Entry<Kind, List<List<ResourceState.Grant>>> entry : byKind.entrySet()) {
            int members = entry.getKey().isExclusive() ? entry.getValue().size() : 0;
            alone = members > most || (alone && members < most);
            most = Math.max(most, members);
        }
        int shown = alone ? most : Integer.MAX_VALUE;
        byKind.entrySet()
                .removeIf(entry ->
                        entry.getKey().isExclusive() && entry.getValue().size() < shown);
    }

    private static List<ResourceState.Grant> agreed(Kind kind, List<List<ResourceState.Grant>> perMember, int quorum) {
        if (perMember.size() < quorum) {
            return List.of();
        }
        List<Integer> counts =
                new ArrayList<>(perMember.stream().map(List::size).toList());
        counts.sort(Collections.reverseOrder());
        int agreed = counts.get(quorum - 1);
        Map<Long, List<ResourceState.Grant>> byToken = new HashMap<>();
        perMember.forEach(
                grants -> grants.forEach(grant -> byToken.computeIfAbsent(grant.token(), token -> new ArrayList<>())
                        .add(grant)));
        return byToken.values().stream()
                .sorted(Comparator.comparingInt((List<ResourceState.Grant> same) -> -same.size())
                        .thenComparingLong(same -> same.get(0).token()))
                .limit(agreed)
                .map(same -> new ResourceState.Grant(
                        kind.holder(),
                        same.get(0).token(),
                        kind.shared(),
                        kind.permits(),
                        kept(same, quorum),
                        longest(same)))
                .toList();
    }

    /** For how long a quorum of the members keeps it; one that was renewed late, or not at all, does not end it. */
    private static Duration kept(List<ResourceState.Grant> grants, int quorum) {
        return grants.stream()
                .map(ResourceState.Grant::remaining)
                .sorted(Comparator.reverseOrder())
                .skip(Math.min(quorum, grants.size()) - 1L)
                .findFirst()
                .orElseThrow();
    }

    private static Duration longest(List<ResourceState.Grant> grants) {
        return grants.stream()
                .map(ResourceState.Grant::heldFor)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static int mostFrequent(List<Integer> numbers) {
        return numbers.stream()
                .max(Comparator.comparingInt(number -> Collections.frequency(numbers, number)))
                .orElse(0);
    }
}
