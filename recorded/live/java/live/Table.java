package live;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageQueue;

/** A client's processQueueTable, which tells when an entry comes and goes. */
final class Table extends AbstractMap<MessageQueue, ProcessQueue> implements ConcurrentMap<MessageQueue, ProcessQueue> {
    private static final int SIZE = 64;
    private final ConcurrentMap<MessageQueue, ProcessQueue> entries = new ConcurrentHashMap<>(SIZE);
    private final Out out;

    Table(Out out) {
        this.out = out;
    }

    static String identity(ProcessQueue entry) {
        return Integer.toHexString(System.identityHashCode(entry));
    }

    private void gone(MessageQueue mq, ProcessQueue entry, String how) {
        out.event("entry-gone", "q", Names.queue(mq), "entry", identity(entry), "how", how, "dropped",
            entry.isDropped(), "locked", entry.isLocked(), "messages", entry.getMsgCount().get(), "since_pull",
            System.currentTimeMillis() - entry.getLastPullTimestamp());
    }

    @Override
    public ProcessQueue get(Object mq) {
        return entries.get(mq);
    }

    @Override
    public boolean containsKey(Object mq) {
        return entries.containsKey(mq);
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public ProcessQueue putIfAbsent(MessageQueue mq, ProcessQueue entry) {
        ProcessQueue before = entries.putIfAbsent(mq, entry);
        if (before == null) {
            out.event("entry-new", "q", Names.queue(mq), "entry", identity(entry), "locked", entry.isLocked());
        }
        return before;
    }

    @Override
    public ProcessQueue remove(Object mq) {
        ProcessQueue entry = entries.remove(mq);
        if (entry != null) {
            gone((MessageQueue) mq, entry, "remove");
        }
        return entry;
    }

    @Override
    public boolean remove(Object mq, Object entry) {
        throw new UnsupportedOperationException("no client calls it");
    }

    @Override
    public ProcessQueue replace(MessageQueue mq, ProcessQueue entry) {
        throw new UnsupportedOperationException("no client calls it");
    }

    @Override
    public boolean replace(MessageQueue mq, ProcessQueue before, ProcessQueue entry) {
        throw new UnsupportedOperationException("no client calls it");
    }

    @Override
    public void clear() {
        for (Map.Entry<MessageQueue, ProcessQueue> each : entries.entrySet()) {
            gone(each.getKey(), each.getValue(), "clear");
        }
        entries.clear();
    }

    /** The entries, of which a rebalance takes some out through the iterator. */
    @Override
    public Set<Map.Entry<MessageQueue, ProcessQueue>> entrySet() {
        return new AbstractSet<Map.Entry<MessageQueue, ProcessQueue>>() {
            @Override
            public int size() {
                return entries.size();
            }

            @Override
            public Iterator<Map.Entry<MessageQueue, ProcessQueue>> iterator() {
                return new Entries("rebalance");
            }
        };
    }

    /** The queues, of which a reset of offsets takes some out through the iterator. */
    @Override
    public Set<MessageQueue> keySet() {
        return new AbstractSet<MessageQueue>() {
            @Override
            public int size() {
                return entries.size();
            }

            @Override
            public boolean contains(Object mq) {
                return entries.containsKey(mq);
            }

            @Override
            public Iterator<MessageQueue> iterator() {
                return new Keys(new Entries("reset"));
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<MessageQueue, ProcessQueue>> {
        private final Iterator<Map.Entry<MessageQueue, ProcessQueue>> inner = entries.entrySet().iterator();
        private final String how;
        private Map.Entry<MessageQueue, ProcessQueue> last;

        Entries(String how) {
            this.how = how;
        }

        @Override
        public boolean hasNext() {
            return inner.hasNext();
        }

        @Override
        public Map.Entry<MessageQueue, ProcessQueue> next() {
            last = inner.next();
            return last;
        }

        @Override
        public void remove() {
            inner.remove();
            gone(last.getKey(), last.getValue(), how);
        }
    }

    private static final class Keys implements Iterator<MessageQueue> {
        private final Iterator<Map.Entry<MessageQueue, ProcessQueue>> inner;

        Keys(Iterator<Map.Entry<MessageQueue, ProcessQueue>> inner) {
            this.inner = inner;
        }

        @Override
        public boolean hasNext() {
            return inner.hasNext();
        }

        @Override
        public MessageQueue next() {
            return inner.next().getKey();
        }

        @Override
        public void remove() {
            inner.remove();
        }
    }
}
