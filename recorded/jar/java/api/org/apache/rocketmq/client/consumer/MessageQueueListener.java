package org.apache.rocketmq.client.consumer;

import java.util.Set;
import org.apache.rocketmq.common.message.MessageQueue;

public interface MessageQueueListener {
    void messageQueueChanged(String topic, Set<MessageQueue> mqAll, Set<MessageQueue> mqDivided);
}
