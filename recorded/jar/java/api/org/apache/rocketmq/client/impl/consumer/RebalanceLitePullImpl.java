package org.apache.rocketmq.client.impl.consumer;

public class RebalanceLitePullImpl extends RebalanceImpl {
    public RebalanceLitePullImpl(DefaultLitePullConsumerImpl consumerImpl) {
    }
}
