package org.apache.rocketmq.client.consumer.store;

public enum ReadOffsetType {
    READ_FROM_MEMORY
}
