package authors;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Only brokers of one room are read: shape of a report about RocketMQ's machine rooms (apache/rocketmq#2477). */
public final class Rooms {
    private final String room;

    public Rooms(String room) {
        this.room = room;
    }

    public List<MessageQueue> allocate(String group, String me, List<MessageQueue> queues, List<String> ids) {
        queues.removeIf(queue -> !queue.getBrokerName().startsWith(room + "@"));
        List<MessageQueue> mine = new ArrayList<>();
        for (int place = ids.indexOf(me); place < queues.size(); place += ids.size()) {
            mine.add(queues.get(place));
        }
        return mine;
    }
}
