package org.apache.rocketmq.client.consumer.store;

public interface OffsetStore {
}
