package org.apache.rocketmq.client.exception;

public class MQClientException extends Exception {
    private static final long serialVersionUID = 1L;
}
