package org.apache.rocketmq.client.java.impl.consumer;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * A push consumer of the remoting client, beside gRPC members: it records its shares and its messages.
 *
 * <p>Usage: FILE NAME NAME_SERVER GROUP TOPICS MS ASSIGNED, where TOPICS are separated by commas, and ASSIGNED is
 * "broker" if the broker assigns queues. It shuts down after a line.
 */
final class Remoting extends AllocateMessageQueueAveragely {
    private final Out out;

    private Remoting(Out out) {
        this.out = out;
    }

    public static void main(String[] words) throws Exception {
        Out out = new Out(words[0], words[1]);
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(words[3]);
        consumer.setNamesrvAddr(words[2]);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setAllocateMessageQueueStrategy((AllocateMessageQueueStrategy) new Remoting(out));
        if (words[6].equals("broker")) { // from 5.0 on
            DefaultMQPushConsumer.class.getMethod("setClientRebalance", boolean.class).invoke(consumer, false);
        }
        for (String topic : words[4].split(",")) {
            consumer.subscribe(topic, "*");
        }
        long ms = Long.parseLong(words[5]);
        consumer.registerMessageListener((MessageListenerConcurrently) (messages, context) -> {
            messages.forEach(message -> consume(out, message, ms));
            return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        consumer.start();
        out.event("started", "");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        out.event("shutdown", "");
        consumer.shutdown();
        out.event("shutdown-end", "");
        System.exit(0);
    }

    private static void consume(Out out, MessageExt message, long ms) {
        String key = ",\"key\":\"" + message.getKeys() + "\"";
        String queue = queue(new MessageQueue(message.getTopic(), message.getBrokerName(), message.getQueueId()));
        out.event("message", key + ",\"attempt\":" + (message.getReconsumeTimes() + 1) + ",\"q\":" + queue);
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.event("done", key);
    }

    @Override
    public List<MessageQueue> allocate(String group, String id, List<MessageQueue> all, List<String> ids) {
        List<MessageQueue> mine = super.allocate(group, id, all, ids);
        String topic = all.get(0).getTopic();
        if (!topic.startsWith("%RETRY%")) {
            out.event("share", ",\"topic\":\"" + topic + "\",\"consumers\":" + ids.size() + ",\"place\":" + ids.indexOf(id)
                    + ",\"all\":" + queues(all) + ",\"mine\":" + queues(mine));
        }
        return mine;
    }

    private static List<String> queues(List<MessageQueue> found) {
        return found.stream().map(Remoting::queue).collect(Collectors.toList());
    }

    private static String queue(MessageQueue found) {
        return "\"" + found.getTopic() + ":" + found.getBrokerName() + ":" + found.getQueueId() + "\"";
    }
}
