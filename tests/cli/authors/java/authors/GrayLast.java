package authors;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Members whose ids end in _gray have the last queues, the others the rest: shape of a platform's gray releases. */
public final class GrayLast {
    private final int reserved;
    private final boolean falls;

    public GrayLast(int reserved, boolean falls) {
        this.reserved = reserved;
        this.falls = falls;
    }

    public List<MessageQueue> allocate(String group, String me, List<MessageQueue> queues, List<String> ids) {
        List<String> gray = new ArrayList<>(ids);
        gray.removeIf(id -> !id.endsWith("_gray"));
        List<String> others = new ArrayList<>(ids);
        others.removeAll(gray);
        if (gray.isEmpty() || falls && others.isEmpty() || queues.size() <= reserved) {
            return even(me, queues, ids);
        }
        int from = queues.size() - reserved;
        return gray.contains(me) ? even(me, queues.subList(from, queues.size()), gray)
            : even(me, queues.subList(0, from), others);
    }

    private static List<MessageQueue> even(String me, List<MessageQueue> queues, List<String> ids) {
        List<MessageQueue> mine = new ArrayList<>();
        for (int place = ids.indexOf(me); place < queues.size(); place += ids.size()) {
            mine.add(queues.get(place));
        }
        return mine;
    }
}
