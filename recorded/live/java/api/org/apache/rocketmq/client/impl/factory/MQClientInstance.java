package org.apache.rocketmq.client.impl.factory;

public abstract class MQClientInstance {
    public abstract String getClientId();
}
