package org.apache.rocketmq.client.impl;

import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.remoting.RPCHook;

public abstract class MQClientManager {
    public static MQClientManager getInstance() {
        return null;
    }

    public abstract MQClientInstance getOrCreateMQClientInstance(ClientConfig clientConfig, RPCHook rpcHook);
}
