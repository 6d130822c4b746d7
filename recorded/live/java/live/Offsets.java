package live;

import java.util.Set;
import org.apache.rocketmq.client.consumer.store.ReadOffsetType;
import org.apache.rocketmq.client.consumer.store.RemoteBrokerOffsetStore;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

/** The client's own offset store, which tells what it is asked, and can throw where it is asked for a pull. */
final class Offsets extends RemoteBrokerOffsetStore {
    /** The thread that pulls, which asks for the offset to commit. */
    private static final String PULLS = "PullMessageService";

    private final Out out;
    private final Throws thrown;

    Offsets(Out out, MQClientInstance instance, String group, Throws thrown) {
        super(instance, group);
        this.out = out;
        this.thrown = thrown;
    }

    @Override
    public void updateOffset(MessageQueue mq, long offset, boolean increaseOnly) {
        super.updateOffset(mq, offset, increaseOnly);
        out.event("offset-update", "q", Names.queue(mq), "offset", offset, "increaseOnly", increaseOnly);
    }

    @Override
    public long readOffset(MessageQueue mq, ReadOffsetType type) {
        if (type == ReadOffsetType.READ_FROM_MEMORY && Thread.currentThread().getName().equals(PULLS)) {
            thrown.at(Throws.STORE, Names.queue(mq), "");
        }
        long result = super.readOffset(mq, type);
        if (type != ReadOffsetType.READ_FROM_MEMORY) {
            out.event("offset-read", "q", Names.queue(mq), "type", type, "result", result);
        }
        return result;
    }

    @Override
    public void persistAll(Set<MessageQueue> queues) {
        out.event("persist-all", "queues", queues.size());
        super.persistAll(queues);
    }

    @Override
    public void persist(MessageQueue mq) {
        out.event("persist", "q", Names.queue(mq));
        super.persist(mq);
    }

    @Override
    public void removeOffset(MessageQueue mq) {
        out.event("offset-removed", "q", Names.queue(mq));
        super.removeOffset(mq);
    }
}
