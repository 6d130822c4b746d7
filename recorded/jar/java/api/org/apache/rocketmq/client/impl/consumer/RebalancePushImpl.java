package org.apache.rocketmq.client.impl.consumer;

public class RebalancePushImpl extends RebalanceImpl {
    public RebalancePushImpl(DefaultMQPushConsumerImpl consumerImpl) {
    }
}
