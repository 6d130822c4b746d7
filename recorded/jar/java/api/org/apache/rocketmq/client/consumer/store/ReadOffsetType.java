package org.apache.rocketmq.client.consumer.store;

public enum ReadOffsetType {
    READ_FROM_MEMORY,
    READ_FROM_STORE,
    MEMORY_FIRST_THEN_STORE
}
