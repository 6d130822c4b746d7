package org.apache.rocketmq.client.consumer;

import java.util.List;
import org.apache.rocketmq.common.message.MessageExt;

public abstract class PullResult {
    public abstract PullStatus getPullStatus();

    public abstract long getNextBeginOffset();

    public abstract long getMinOffset();

    public abstract long getMaxOffset();

    public abstract List<MessageExt> getMsgFoundList();
}
