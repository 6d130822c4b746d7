package org.apache.rocketmq.client.consumer.store;

import java.util.Set;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

public class RemoteBrokerOffsetStore implements OffsetStore {
    public RemoteBrokerOffsetStore(MQClientInstance mQClientFactory, String groupName) {
    }

    public void updateOffset(MessageQueue mq, long offset, boolean increaseOnly) {
    }

    public long readOffset(MessageQueue mq, ReadOffsetType type) {
        return 0;
    }

    public void persistAll(Set<MessageQueue> mqs) {
    }

    public void persist(MessageQueue mq) {
    }

    public void removeOffset(MessageQueue mq) {
    }
}
