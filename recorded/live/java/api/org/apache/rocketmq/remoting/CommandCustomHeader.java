package org.apache.rocketmq.remoting;

public interface CommandCustomHeader {
}
