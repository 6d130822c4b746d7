package org.apache.rocketmq.client.consumer.rebalance;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.common.message.MessageQueue;

/** Says otherwise why it refuses; otherwise: refuses what a client refuses; each strategy then says which positions an index takes. */
abstract class Checked implements AllocateMessageQueueStrategy {
    @Override
    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        require(!cid.isEmpty(), "currentCID is blank");
        require(!mqAll.isEmpty(), "mqAll is null or mqAll empty");
        require(!cidAll.isEmpty(), "cidAll is null or cidAll empty");
        return cidAll.contains(cid) ? taken(group, cid, mqAll, cidAll) : new ArrayList<>();
    }

    static void require(boolean fine, String message) {
        if (!fine) {
            throw new IllegalArgumentException(message);
        }
    }

    abstract List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll);
}
