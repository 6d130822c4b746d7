package org.apache.rocketmq.client.impl.consumer;

import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

public class PullAPIWrapper {
    public PullAPIWrapper(MQClientInstance mQClientFactory, String consumerGroup, boolean unitMode) {
    }

    public PullResult processPullResult(MessageQueue mq, PullResult pullResult,
        org.apache.rocketmq.common.protocol.heartbeat.SubscriptionData subscriptionData) {
        return null;
    }

    public PullResult processPullResult(MessageQueue mq, PullResult pullResult,
        org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData subscriptionData) {
        return null;
    }
}
