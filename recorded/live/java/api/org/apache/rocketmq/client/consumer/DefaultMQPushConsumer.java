package org.apache.rocketmq.client.consumer;

import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.remoting.RPCHook;

public class DefaultMQPushConsumer extends ClientConfig {
    public DefaultMQPushConsumer(String consumerGroup) {
    }

    public DefaultMQPushConsumer(String consumerGroup, RPCHook rpcHook, AllocateMessageQueueStrategy strategy) {
    }

    public DefaultMQPushConsumerImpl getDefaultMQPushConsumerImpl() {
        return null;
    }

    public void setOffsetStore(OffsetStore offsetStore) {
    }

    public void setConsumeThreadMin(int consumeThreadMin) {
    }

    public void setConsumeThreadMax(int consumeThreadMax) {
    }

    public void setConsumeFromWhere(ConsumeFromWhere consumeFromWhere) {
    }

    public void registerMessageListener(MessageListenerConcurrently messageListener) {
    }

    public void registerMessageListener(MessageListenerOrderly messageListener) {
    }

    public void subscribe(String topic, String subExpression) throws MQClientException {
    }

    public void unsubscribe(String topic) {
    }

    public void start() throws MQClientException {
    }

    public void shutdown() {
    }

    public void suspend() {
    }

    public void resume() {
    }
}
