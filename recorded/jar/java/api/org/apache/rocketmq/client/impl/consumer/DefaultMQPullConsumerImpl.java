package org.apache.rocketmq.client.impl.consumer;

public class DefaultMQPullConsumerImpl {
}
