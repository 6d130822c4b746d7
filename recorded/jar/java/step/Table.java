package step;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageQueue;

/** The client's {@code processQueueTable}, with observed changes. */
final class Table extends ConcurrentHashMap<MessageQueue, ProcessQueue> {
    private static final long serialVersionUID = 1;
    /** As in {@code RebalanceImpl}: the order of iteration depends on it. */
    private static final int CAPACITY = 64;

    private final transient Effects effects;

    Table(Effects effects) {
        super(CAPACITY);
        this.effects = effects;
    }

    /** Adds an entry from before the first operation, unobserved. */
    void have(MessageQueue queue, ProcessQueue entry) {
        super.put(queue, entry);
    }

    @Override
    public ProcessQueue put(MessageQueue queue, ProcessQueue entry) {
        ProcessQueue before = super.put(queue, entry);
        effects.add(before == null ? "in" : "replaced", queue);
        return before;
    }

    @Override
    public ProcessQueue putIfAbsent(MessageQueue queue, ProcessQueue entry) {
        ProcessQueue before = super.putIfAbsent(queue, entry);
        if (before == null) {
            effects.add("in", queue);
        }
        return before;
    }

    @Override
    public ProcessQueue remove(Object queue) {
        ProcessQueue before = super.remove(queue);
        if (before != null) {
            effects.add("out", (MessageQueue) queue);
        }
        return before;
    }

    @Override
    public boolean remove(Object queue, Object entry) {
        boolean removed = super.remove(queue, entry);
        if (removed) {
            effects.add("out", (MessageQueue) queue);
        }
        return removed;
    }

    @Override
    public void clear() {
        for (MessageQueue queue : keySet()) {
            effects.add("out", queue);
        }
        super.clear();
    }

    @Override
    public Set<Map.Entry<MessageQueue, ProcessQueue>> entrySet() {
        Set<Map.Entry<MessageQueue, ProcessQueue>> entries = super.entrySet();
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<MessageQueue, ProcessQueue>> iterator() {
                return observed(entries.iterator());
            }

            @Override
            public int size() {
                return entries.size();
            }
        };
    }

    private Iterator<Map.Entry<MessageQueue, ProcessQueue>> observed(
        Iterator<Map.Entry<MessageQueue, ProcessQueue>> entries) {
        return new Iterator<>() {
            private MessageQueue last;

            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Map.Entry<MessageQueue, ProcessQueue> next() {
                Map.Entry<MessageQueue, ProcessQueue> entry = entries.next();
                last = entry.getKey();
                return entry;
            }

            @Override
            public void remove() {
                boolean there = containsKey(last);
                entries.remove();
                if (there) {
                    effects.add("out", last);
                }
            }
        };
    }
}
