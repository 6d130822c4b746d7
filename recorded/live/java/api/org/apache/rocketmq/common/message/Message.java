package org.apache.rocketmq.common.message;

public class Message {
    public Message(String topic, String tags, String keys, byte[] body) {
    }

    public String getTopic() {
        return null;
    }

    public String getTags() {
        return null;
    }

    public String getKeys() {
        return null;
    }
}
