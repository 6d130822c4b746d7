package step;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * The scripted answers of broker and offset store, one for each queue and question.
 *
 * <p>A question may have several possible answers. Each run takes one of them when the client asks, and
 * {@link #next} moves on until every combination of answers that the client asked for has been taken.
 */
final class Answers {
    private static final Map<String, String> BENIGN =
        Map.of("lock", "ok", "off", "100", "persist", "ok", "query", "100", "max", "0", "update", "ok");

    private final Map<String, List<String>> possible = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Map<String, Integer> taken = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    private static String question(String queue, String what) {
        return queue + " " + what;
    }

    void script(String queue, String what, List<String> answers) {
        possible.put(question(queue, what), answers);
    }

    String ask(MessageQueue queue, String what) {
        String question = question(Names.queue(queue), what);
        List<String> answers = possible.getOrDefault(question, List.of(BENIGN.get(what)));
        if (!asked.contains(question)) {
            asked.add(question);
            taken.putIfAbsent(question, 0);
        }
        return answers.get(Math.min(taken.get(question), answers.size() - 1));
    }

    /** The only possible answer, or null if there are several or none. The client does not ask. */
    String fixed(String queue, String what) {
        List<String> answers = possible.get(question(queue, what));
        return answers != null && answers.size() == 1 ? answers.get(0) : null;
    }

    /** Whether this call of {@code persist} fails. */
    boolean persistFails(MessageQueue queue) {
        String said = ask(queue, "persist");
        if (said.equals("ok")) {
            return false;
        }
        int count = counts.merge(Names.queue(queue), 1, Integer::sum);
        return said.equals("throw") || count == 2;
    }

    /** The answers that the client asked for in this run, in order. */
    List<String> taken() {
        List<String> found = new ArrayList<>();
        for (String question : asked) {
            List<String> answers = possible.get(question);
            if (answers != null) {
                found.add(question + " " + answers.get(Math.min(taken.get(question), answers.size() - 1)));
            }
        }
        return found;
    }

    /** Prepares the next run; false if every combination was taken. */
    boolean next() {
        counts.clear();
        List<String> before = List.copyOf(asked);
        asked.clear();
        for (int last = before.size() - 1; last >= 0; last--) {
            String question = before.get(last);
            int following = taken.get(question) + 1;
            taken.remove(question);
            if (following < possible.getOrDefault(question, List.of()).size()) {
                taken.put(question, following);
                return true;
            }
        }
        return false;
    }
}
