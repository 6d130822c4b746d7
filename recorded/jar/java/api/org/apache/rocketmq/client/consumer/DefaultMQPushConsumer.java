package org.apache.rocketmq.client.consumer;

public class DefaultMQPushConsumer {
    public DefaultMQPushConsumer(String consumerGroup) {
    }

    public void setPullThresholdForQueue(int pullThresholdForQueue) {
    }

    public void setPullThresholdSizeForQueue(int pullThresholdSizeForQueue) {
    }
}
