package org.apache.rocketmq.client.consumer.rebalance;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.rocketmq.common.message.MessageQueue;

/** Blocks of equal length of the queues in listed rooms; one of the rest to each of the first. */
public class AllocateMessageQueueByMachineRoom extends Checked {
    private Set<String> rooms;

    public void setConsumeridcs(Set<String> rooms) {
        this.rooms = rooms;
    }

    @Override
    List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        List<MessageQueue> kept = new ArrayList<>();
        for (MessageQueue queue : mqAll) {
            String[] parts = queue.getBrokerName().split("@");
            if (parts.length == 2 && rooms.contains(parts[0])) {
                kept.add(queue);
            }
        }
        int index = cidAll.indexOf(cid);
        int each = kept.size() / cidAll.size();
        List<MessageQueue> taken = new ArrayList<>(kept.subList(index * each, (index + 1) * each));
        if (index < kept.size() % cidAll.size()) {
            taken.add(kept.get(each * cidAll.size() + index));
        }
        return taken;
    }
}
