package org.apache.rocketmq.client.impl;

public class FindBrokerResult {
    public FindBrokerResult(String brokerAddr, boolean slave) {
    }
}
