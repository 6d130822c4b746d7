package org.apache.rocketmq.common.protocol.heartbeat;

public class SubscriptionData {
}
