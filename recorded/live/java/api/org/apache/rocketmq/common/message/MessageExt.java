package org.apache.rocketmq.common.message;

public abstract class MessageExt extends Message {
    MessageExt() {
        super(null, null, null, null);
    }

    public abstract String getBrokerName();

    public abstract int getQueueId();

    public abstract long getQueueOffset();

    public abstract long getBornTimestamp();

    public abstract int getReconsumeTimes();
}
