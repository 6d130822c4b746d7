package org.apache.rocketmq.client.exception;

public class MQClientException extends Exception {
}
