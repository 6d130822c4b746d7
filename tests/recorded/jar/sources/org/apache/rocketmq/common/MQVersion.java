package org.apache.rocketmq.common;

/** Says a version as RocketMQ's class of this name does, written for these tests. */
public class MQVersion {
    public static final int CURRENT_VERSION = 3;

    public static String getVersionDesc(int value) {
        return "V5_" + value + "_1";
    }
}
