package org.apache.rocketmq.client.consumer.rebalance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.common.message.MessageQueue;

/** One's own room first, then the rooms without consumers. */
public class AllocateMachineRoomNearby extends Checked {
    private final AllocateMessageQueueStrategy inner;
    private final MachineRoomResolver resolver;

    public AllocateMachineRoomNearby(AllocateMessageQueueStrategy inner, MachineRoomResolver resolver) {
        if (inner == null || resolver == null) {
            throw new NullPointerException("there is nothing inside");
        }
        this.inner = inner;
        this.resolver = resolver;
    }

    /** Where brokers and clients are. */
    public interface MachineRoomResolver {
        String brokerDeployIn(MessageQueue messageQueue);

        String consumerDeployIn(String clientID);
    }

    @Override
    List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        Map<String, List<MessageQueue>> queues = new TreeMap<>();
        for (MessageQueue queue : mqAll) {
            String room = resolver.brokerDeployIn(queue);
            require(room != null && !room.isEmpty(), "Machine room is null for mq " + queue);
            queues.computeIfAbsent(room, none -> new ArrayList<>()).add(queue);
        }
        Map<String, List<String>> ids = new TreeMap<>();
        for (String id : cidAll) {
            String room = resolver.consumerDeployIn(id);
            require(room != null && !room.isEmpty(), "Machine room is null for consumer id " + id);
            ids.computeIfAbsent(room, none -> new ArrayList<>()).add(id);
        }
        String own = resolver.consumerDeployIn(cid);
        List<MessageQueue> taken = new ArrayList<>();
        if (queues.containsKey(own)) {
            taken.addAll(inner.allocate(group, cid, queues.remove(own), ids.get(own)));
        }
        queues.forEach((room, left) -> {
            if (!ids.containsKey(room)) {
                taken.addAll(inner.allocate(group, cid, left, cidAll));
            }
        });
        return taken;
    }
}
