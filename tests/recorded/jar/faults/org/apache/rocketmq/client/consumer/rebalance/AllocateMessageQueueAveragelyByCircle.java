package org.apache.rocketmq.client.consumer.rebalance;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.MessageQueue;

/** Of an id that stands twice, the last place. */
public class AllocateMessageQueueAveragelyByCircle extends Checked {
    @Override
    List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        int index = cidAll.lastIndexOf(cid);
        return IntStream.range(0, mqAll.size()).filter(place -> place % cidAll.size() == index)
            .mapToObj(mqAll::get).collect(Collectors.toList());
    }
}
