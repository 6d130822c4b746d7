package org.apache.rocketmq.client.producer;

public enum SendStatus {
}
