package step;

import java.util.Set;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.RebalancePushImpl;
import org.apache.rocketmq.common.message.MessageQueue;

/** The client's {@code RebalancePushImpl}, observed. */
final class Push extends RebalancePushImpl {
    private final Client client;

    Push(DefaultMQPushConsumerImpl consumer, Client client) {
        super(consumer);
        this.client = client;
    }

    @Override
    public boolean lock(MessageQueue queue) {
        return client.about(queue, () -> super.lock(queue));
    }

    @Override
    public void unlock(MessageQueue queue, boolean oneway) {
        client.act(queue, () -> super.unlock(queue, oneway));
    }

    @Override
    public void messageQueueChanged(String topic, Set<MessageQueue> all, Set<MessageQueue> mine) {
        client.changed(topic, all, mine);
        super.messageQueueChanged(topic, all, mine);
    }
}
