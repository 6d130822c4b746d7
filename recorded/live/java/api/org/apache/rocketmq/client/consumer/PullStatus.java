package org.apache.rocketmq.client.consumer;

public enum PullStatus {
}
