package org.apache.rocketmq.client.producer;

public abstract class SendResult {
    public abstract SendStatus getSendStatus();

    public abstract long getQueueOffset();
}
