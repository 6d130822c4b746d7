package acme;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.common.message.MessageQueue;

/** Gives another answer in each JVM, as its argument says: by Object.hashCode() of a key without one of its own. */
public class Salted {
    private final String by;
    private static final Map<String, Object> KEYS = new ConcurrentHashMap<>();
    private static final double LOADED = Math.random();
    private int calls;

    public Salted(String by) {
        this.by = by;
    }

    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        List<MessageQueue> taken = new ArrayList<>();
        for (MessageQueue queue : mqAll) {
            if (cidAll.get(Math.floorMod(number(queue), cidAll.size())).equals(cid)) {
                taken.add(queue);
            }
        }
        return taken;
    }

    private int number(MessageQueue queue) {
        switch (by) {
            case "hash": return KEYS.computeIfAbsent(queue.toString(), name -> new Object()).hashCode();
            case "random": return (int) (Math.random() * 1000);
            case "loaded": return queue.getQueueId() + (int) (LOADED * 1000);
            case "second": return queue.getQueueId() + (int) (System.currentTimeMillis() / 1000);
            case "calls": return queue.getQueueId() + calls++;
            default: return queue.getQueueId();
        }
    }
}
