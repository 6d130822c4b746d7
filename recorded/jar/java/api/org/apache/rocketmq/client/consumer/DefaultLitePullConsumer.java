package org.apache.rocketmq.client.consumer;

public class DefaultLitePullConsumer {
    public DefaultLitePullConsumer(String consumerGroup) {
    }
}
