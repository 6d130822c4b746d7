package org.apache.rocketmq.client;

public class ClientConfig {
    public void setNamesrvAddr(String namesrvAddr) {
    }

    public void setClientIP(String clientIP) {
    }

    public void setInstanceName(String instanceName) {
    }
}
