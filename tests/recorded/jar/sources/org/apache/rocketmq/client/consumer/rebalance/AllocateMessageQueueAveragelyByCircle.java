package org.apache.rocketmq.client.consumer.rebalance;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.MessageQueue;

/** Queues are dealt out. */
public class AllocateMessageQueueAveragelyByCircle extends Checked {
    @Override
    List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        int index = cidAll.indexOf(cid);
        return IntStream.range(0, mqAll.size()).filter(place -> place % cidAll.size() == index)
            .mapToObj(mqAll::get).collect(Collectors.toList());
    }
}
