package org.apache.rocketmq.client;

public class ClientConfig {
}
