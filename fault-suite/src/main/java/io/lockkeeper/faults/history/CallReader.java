package io.lockkeeper.faults.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads what a {@link ClientJournal} wrote, also of a client that was killed while it wrote. */
public final class CallReader {

    /** A call of which not all has been read yet. */
    private static final class Draft {
        final String name;
        final String way;
        final long limit;
        final long asked;
        Answer answer = new Answer.Open();
        long believedTo;
        boolean seenLost;
        boolean told;
        boolean closed;

        Draft(String name, String way, long limit, long asked) {
            this.name = name;
            this.way = way;
            this.limit = limit;
            this.asked = asked;
        }

        Call finish(String client) {
            Answer all = answer instanceof Answer.Granted got
                    ? new Answer.Granted(
                            got.at(), got.token(), got.holdId(), Math.max(got.at(), believedTo), seenLost, told, closed)
                    : answer;
            return new Call(client, name, way, limit, asked, all);
        }
    }

    private final Map<Long, Draft> drafts = new LinkedHashMap<>();

    private CallReader() {}

    public static List<Call> read(Path journal, String client) throws IOException {
        return parse(Files.readString(journal, UTF_8), client);
    }

    static List<Call> parse(String text, String client) {
        var reader = new CallReader();
        int begin = 0;
        // A last line without its line feed was cut short by a kill and says nothing.
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            reader.take(text.substring(begin, end));
            begin = end + 1;
        }
        List<Call> calls = new ArrayList<>(reader.drafts.size());
        for (Draft draft : reader.drafts.values()) {
            calls.add(draft.finish(client));
        }
        return calls;
    }

    private void take(String line) {
        String[] words = line.split(" ", 6);
        long number = Long.parseLong(words[1]);
        long at = Long.parseLong(words[2]);
        if (words[0].equals("ask")) {
            drafts.put(number, new Draft(words[3], words[5], Long.parseLong(words[4]), at));
            return;
        }
        Draft draft = drafts.get(number);
        if (draft == null) {
            throw new IllegalArgumentException("The journal answers a call that it does not know: " + line);
        }
        switch (words[0]) {
            case "got" ->
                draft.answer = new Answer.Granted(at, Long.parseLong(words[3]), words[4], at, false, false, false);
            case "none" -> draft.answer = new Answer.Nothing(at);
            case "fail" -> draft.answer = new Answer.Failed(at, line.split(" ", 4)[3]);
            case "held" -> draft.believedTo = Math.max(draft.believedTo, at);
            case "seen" -> draft.seenLost = true;
            case "told" -> draft.told = true;
            case "end" -> draft.closed = true;
            default -> throw new IllegalArgumentException("The journal has a line of an unknown kind: " + line);
        }
    }
}
