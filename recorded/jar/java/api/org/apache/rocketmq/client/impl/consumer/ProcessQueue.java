package org.apache.rocketmq.client.impl.consumer;

public class ProcessQueue {
    public boolean isDropped() {
        return false;
    }

    public void setDropped(boolean dropped) {
    }

    public boolean isLocked() {
        return false;
    }

    public void setLocked(boolean locked) {
    }

    public void setLastPullTimestamp(long lastPullTimestamp) {
    }

    public void setLastLockTimestamp(long lastLockTimestamp) {
    }

    public long getTryUnlockTimes() {
        return 0;
    }

    public void incTryUnlockTimes() {
    }
}
