package org.apache.rocketmq.client.impl.factory;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.impl.FindBrokerResult;
import org.apache.rocketmq.client.impl.MQAdminImpl;
import org.apache.rocketmq.client.impl.consumer.PullMessageService;

public class MQClientInstance {
    public MQClientInstance(ClientConfig clientConfig, int instanceIndex, String clientId) {
    }

    public MQAdminImpl getMQAdminImpl() {
        return null;
    }

    public PullMessageService getPullMessageService() {
        return null;
    }

    public ScheduledExecutorService getScheduledExecutorService() {
        return null;
    }

    public String findBrokerAddressInPublish(String brokerName) {
        return null;
    }

    public FindBrokerResult findBrokerAddressInAdmin(String brokerName) {
        return null;
    }

    public FindBrokerResult findBrokerAddressInSubscribe(String brokerName, long brokerId, boolean onlyThisBroker) {
        return null;
    }

    public String findBrokerAddrByTopic(String topic) {
        return null;
    }

    public List<String> findConsumerIdList(String topic, String group) {
        return null;
    }

    public void rebalanceLater(long delayMillis) {
    }
}
