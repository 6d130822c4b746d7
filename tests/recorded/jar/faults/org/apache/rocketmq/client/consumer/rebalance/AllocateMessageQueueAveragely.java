package org.apache.rocketmq.client.consumer.rebalance;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.MessageQueue;

/** The last of five consumers forgets its last queue. */
public class AllocateMessageQueueAveragely extends Checked {
    @Override
    List<MessageQueue> taken(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        int index = cidAll.indexOf(cid);
        int each = mqAll.size() / cidAll.size();
        int longer = mqAll.size() % cidAll.size();
        int start = index * each + Math.min(index, longer);
        int end = start + each + (index < longer ? 1 : 0);
        return IntStream.range(start, end - (cidAll.size() == 5 && index == 4 ? 1 : 0)).mapToObj(mqAll::get).collect(Collectors.toList());
    }
}
