package org.apache.rocketmq.common.message;

public abstract class MessageQueue implements Comparable<MessageQueue> {
    public abstract String getTopic();

    public abstract String getBrokerName();

    public abstract int getQueueId();
}
