package org.apache.rocketmq.client.impl.consumer;

import org.apache.rocketmq.common.message.MessageQueue;

public class PopRequest {
    public MessageQueue getMessageQueue() {
        return null;
    }
}
