package live;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageQueue;

/** The marks of entries, which have no events: a look every 50 ms; those that left are followed for 150 s. */
final class Marks implements Runnable {
    private static final long LOOK_MS = 50;
    private static final long GAP_MS = 1000;
    private static final long FOLLOW_MS = 150_000;

    private final Out out;
    private final Table table;
    private final Map<ProcessQueue, MessageQueue> queues = new IdentityHashMap<>();
    private final Map<ProcessQueue, String> before = new IdentityHashMap<>();
    private final Map<ProcessQueue, Long> left = new IdentityHashMap<>();

    Marks(Out out, Table table) {
        this.out = out;
        this.table = table;
    }

    @Override
    public void run() {
        long last = System.currentTimeMillis();
        while (true) {
            long now = System.currentTimeMillis();
            if (now - last > GAP_MS) {
                out.event("gap", "ms", now - last);
            }
            last = now;
            look(now);
            try {
                Thread.sleep(LOOK_MS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void look(long now) {
        for (Map.Entry<MessageQueue, ProcessQueue> each : new HashMap<>(table).entrySet()) {
            queues.put(each.getValue(), each.getKey());
        }
        for (ProcessQueue entry : new ArrayList<>(queues.keySet())) {
            MessageQueue mq = queues.get(entry);
            boolean inTable = table.get(mq) == entry;
            boolean dropped = entry.isDropped();
            boolean locked = entry.isLocked();
            String marks = dropped + "," + locked + "," + inTable;
            if (!marks.equals(before.put(entry, marks))) {
                out.event("entry", "q", Names.queue(mq), "entry", Table.identity(entry), "dropped", dropped, "locked",
                    locked, "in_table", inTable, "messages", entry.getMsgCount().get(), "lock_age",
                    now - entry.getLastLockTimestamp(), "pull_age", now - entry.getLastPullTimestamp());
            }
            if (!inTable && now - left.computeIfAbsent(entry, key -> now) > FOLLOW_MS) {
                queues.remove(entry);
                before.remove(entry);
                left.remove(entry);
            }
        }
    }
}
