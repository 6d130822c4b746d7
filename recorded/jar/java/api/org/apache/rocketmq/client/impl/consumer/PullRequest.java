package org.apache.rocketmq.client.impl.consumer;

import org.apache.rocketmq.common.message.MessageQueue;

public class PullRequest {
    public MessageQueue getMessageQueue() {
        return null;
    }

    public long getNextOffset() {
        return 0;
    }
}
