package org.apache.rocketmq.remoting.protocol.heartbeat;

public class SubscriptionData {
}
