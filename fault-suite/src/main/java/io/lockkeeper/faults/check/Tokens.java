package io.lockkeeper.faults.check;

import io.lockkeeper.faults.history.Answer;
import io.lockkeeper.faults.history.Call;
import io.lockkeeper.faults.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tokens are a witness of the order of grants: no two grants of a name have the same one, and a claim sent after a grant was
 * known gets a greater one than that grant's.
 */
final class Tokens {

    private record Grant(Call call, long asked, long answered, long token) {}

    private Tokens() {}

    static List<Finding> check(History history) {
        Map<String, List<Grant>> byName = new HashMap<>();
        for (Call call : history.calls()) {
            if (call.answer() instanceof Answer.Granted granted) {
                byName.computeIfAbsent(call.name(), name -> new ArrayList<>())
                        .add(new Grant(call, call.asked(), granted.at(), granted.token()));
            }
        }
        List<Finding> findings = new ArrayList<>();
        for (List<Grant> grants : byName.values()) {
            duplicates(grants, findings);
            order(grants, new Excuses(history), findings);
        }
        return findings;
    }

    private static void duplicates(List<Grant> grants, List<Finding> findings) {
        Map<Long, Grant> owners = new HashMap<>();
        for (Grant grant : grants) {
            Grant other = owners.putIfAbsent(grant.token, grant);
            if (other != null) {
                findings.add(new Finding(Rule.DUPLICATE_TOKEN, other.call + " and " + grant.call));
            }
        }
    }

    /** Goes through the calls as they were made, and beside them through the answers as they came. */
    private static void order(List<Grant> grants, Excuses excuses, List<Finding> findings) {
        List<Grant> answers = new ArrayList<>(grants);
        answers.sort(Comparator.comparingLong(Grant::answered));
        grants.sort(Comparator.comparingLong(Grant::asked));
        int known = 0;
        Grant greatest = null;
        for (Grant grant : grants) {
            while (known < answers.size() && answers.get(known).answered < grant.asked) {
                Grant answer = answers.get(known++);
                greatest = greatest == null || answer.token > greatest.token ? answer : greatest;
            }
            if (greatest != null && greatest.token > grant.token) {
                findings.add(new Finding(
                        excuses.cover(grant.answered) ? Rule.OUT_OF_ORDER_EXPLAINED : Rule.OUT_OF_ORDER,
                        grant.call + " asked after " + greatest.call + " was known"));
            }
        }
    }
}
