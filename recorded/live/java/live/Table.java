package live;

import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageQueue;

/** A client's processQueueTable, which tells when an entry comes and goes. */
final class Table extends ConcurrentHashMap<MessageQueue, ProcessQueue> {
    private static final long serialVersionUID = 1L;
    private static final int SIZE = 64;
    private final transient Out out;

    Table(Out out) {
        super(SIZE);
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
    public ProcessQueue putIfAbsent(MessageQueue mq, ProcessQueue entry) {
        ProcessQueue before = super.putIfAbsent(mq, entry);
        if (before == null) {
            out.event("entry-new", "q", Names.queue(mq), "entry", identity(entry), "locked", entry.isLocked());
        }
        return before;
    }

    @Override
    public ProcessQueue remove(Object mq) {
        ProcessQueue entry = super.remove(mq);
        if (entry != null) {
            gone((MessageQueue) mq, entry, "remove");
        }
        return entry;
    }

    @Override
    public void clear() {
        for (Map.Entry<MessageQueue, ProcessQueue> each : super.entrySet()) {
            gone(each.getKey(), each.getValue(), "clear");
        }
        super.clear();
    }

    /** The entries, of which a rebalance takes some out through the iterator. */
    @Override
    public Set<Map.Entry<MessageQueue, ProcessQueue>> entrySet() {
        final Set<Map.Entry<MessageQueue, ProcessQueue>> inner = super.entrySet();
        return new AbstractSet<Map.Entry<MessageQueue, ProcessQueue>>() {
            @Override
            public int size() {
                return inner.size();
            }

            @Override
            public Iterator<Map.Entry<MessageQueue, ProcessQueue>> iterator() {
                return new Entries(inner.iterator());
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<MessageQueue, ProcessQueue>> {
        private final Iterator<Map.Entry<MessageQueue, ProcessQueue>> inner;
        private Map.Entry<MessageQueue, ProcessQueue> last;

        Entries(Iterator<Map.Entry<MessageQueue, ProcessQueue>> inner) {
            this.inner = inner;
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
            gone(last.getKey(), last.getValue(), "rebalance");
        }
    }
}
