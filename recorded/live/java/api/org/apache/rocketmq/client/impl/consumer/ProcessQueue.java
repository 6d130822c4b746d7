package org.apache.rocketmq.client.impl.consumer;

import java.util.concurrent.atomic.AtomicLong;

public abstract class ProcessQueue {
    public abstract boolean isDropped();

    public abstract boolean isLocked();

    public abstract AtomicLong getMsgCount();

    public abstract long getLastPullTimestamp();

    public abstract long getLastLockTimestamp();
}
