package org.apache.rocketmq.client.impl;

import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

public class MQAdminImpl {
    public MQAdminImpl(MQClientInstance mQClientFactory) {
    }

    public long searchOffset(MessageQueue mq, long timestamp) throws MQClientException {
        return 0;
    }

    public long maxOffset(MessageQueue mq) throws MQClientException {
        return 0;
    }
}
