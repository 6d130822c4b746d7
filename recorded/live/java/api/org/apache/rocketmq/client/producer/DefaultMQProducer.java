package org.apache.rocketmq.client.producer;

import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

public class DefaultMQProducer extends ClientConfig {
    public DefaultMQProducer(String producerGroup) {
    }

    public void setSendMsgTimeout(int sendMsgTimeout) {
    }

    public void setRetryTimesWhenSendFailed(int retryTimesWhenSendFailed) {
    }

    public void start() throws MQClientException {
    }

    public List<MessageQueue> fetchPublishMessageQueues(String topic) throws MQClientException {
        return null;
    }

    public SendResult send(Message msg, MessageQueue mq) throws MQClientException {
        return null;
    }
}
