package org.apache.rocketmq.client.impl.consumer;

import java.util.Set;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

public class RebalanceImpl {
    public boolean lock(MessageQueue mq) {
        return false;
    }

    public void unlock(MessageQueue mq, boolean oneway) {
    }

    public void lockAll() {
    }

    public void unlockAll(boolean oneway) {
    }

    public void messageQueueChanged(String topic, Set<MessageQueue> mqAll, Set<MessageQueue> mqDivided) {
    }

    public long computePullFromWhere(MessageQueue mq) {
        return 0;
    }

    public long computePullFromWhereWithException(MessageQueue mq) throws MQClientException {
        return 0;
    }

    public void removeProcessQueue(MessageQueue mq) {
    }

    public void setConsumerGroup(String consumerGroup) {
    }

    public void setAllocateMessageQueueStrategy(AllocateMessageQueueStrategy allocateMessageQueueStrategy) {
    }

    public void setmQClientFactory(MQClientInstance mQClientFactory) {
    }

    public void destroy() {
    }
}
