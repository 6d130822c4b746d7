package org.apache.rocketmq.client.consumer;

public class DefaultMQPullConsumer {
    public DefaultMQPullConsumer(String consumerGroup) {
    }
}
