package org.apache.rocketmq.client.impl.consumer;

public class RebalancePullImpl extends RebalanceImpl {
    public RebalancePullImpl(DefaultMQPullConsumerImpl consumerImpl) {
    }
}
