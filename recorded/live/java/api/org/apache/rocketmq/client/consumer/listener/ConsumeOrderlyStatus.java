package org.apache.rocketmq.client.consumer.listener;

public enum ConsumeOrderlyStatus {
    SUCCESS
}
