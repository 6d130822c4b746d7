package authors;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageQueue;

/** A registry in the client: each new id gets the next seat, and keeps it. Every client has a registry of its own. */
public final class Seats {
    private static final Map<String, Integer> SEATS = new HashMap<>();

    public List<MessageQueue> allocate(String group, String me, List<MessageQueue> queues, List<String> ids) {
        SEATS.keySet().retainAll(ids);
        for (String id : ids) {
            int seat = 0;
            while (!SEATS.containsKey(id) && SEATS.containsValue(seat)) {
                seat++;
            }
            SEATS.putIfAbsent(id, seat);
        }
        List<MessageQueue> mine = new ArrayList<>();
        for (int place = SEATS.get(me); place < queues.size(); place += ids.size()) {
            mine.add(queues.get(place));
        }
        return mine;
    }
}
