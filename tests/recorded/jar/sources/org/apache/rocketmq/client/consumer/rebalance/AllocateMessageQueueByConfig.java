package org.apache.rocketmq.client.consumer.rebalance;

import java.util.List;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.common.message.MessageQueue;

/** Always the same list. */
public class AllocateMessageQueueByConfig implements AllocateMessageQueueStrategy {
    private List<MessageQueue> queues;

    public void setMessageQueueList(List<MessageQueue> queues) {
        this.queues = queues;
    }

    @Override
    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        return queues;
    }
}
