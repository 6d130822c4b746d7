package live;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.message.MessageExt;

/** Listeners that take a time for each message, always succeed, and tell when they are called and return. */
final class Listeners {
    private final Out out;
    private volatile long ms;

    Listeners(Out out, long ms) {
        this.out = out;
        this.ms = ms;
    }

    /** Sets the time for each message of calls that begin from now on. */
    void take(long time) {
        ms = time;
    }

    void register(DefaultMQPushConsumer consumer, boolean ordered) {
        if (ordered) {
            consumer.registerMessageListener((MessageListenerOrderly) (messages, context) -> {
                listen(messages);
                return ConsumeOrderlyStatus.SUCCESS;
            });
        } else {
            consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
                listen(messages);
                return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
            });
        }
    }

    private void listen(List<MessageExt> messages) {
        MessageExt first = messages.get(0);
        String queue = first.getTopic() + ":" + first.getBrokerName() + ":" + first.getQueueId();
        List<String> keys = new ArrayList<>();
        List<Long> offsets = new ArrayList<>();
        int again = 0;
        for (MessageExt each : messages) {
            keys.add(each.getKeys());
            offsets.add(each.getQueueOffset());
            again = Math.max(again, each.getReconsumeTimes());
        }
        long now = System.currentTimeMillis();
        out.event("begin", "q", queue, "offsets", offsets, "keys", keys, "tag", first.getTags(), "reconsumeTimes",
            again, "bornAgo", now - first.getBornTimestamp(), "thread", Thread.currentThread().getName());
        boolean whole = true;
        try {
            if (ms > 0) {
                Thread.sleep(ms * messages.size());
            }
        } catch (InterruptedException e) {
            whole = false;
        }
        out.event("end", "q", queue, "from", offsets.get(0), "to", offsets.get(offsets.size() - 1), "result",
            whole ? "SUCCESS" : "INTERRUPTED", "thread", Thread.currentThread().getName());
    }
}
