package org.apache.rocketmq.client.consumer.listener;

public class ConsumeOrderlyContext {
}
