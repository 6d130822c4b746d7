package org.apache.rocketmq.common.message;

public class MessageQueue {
    public MessageQueue(String topic, String brokerName, int queueId) {
    }

    public String getTopic() {
        return null;
    }

    public String getBrokerName() {
        return null;
    }

    public int getQueueId() {
        return 0;
    }
}
