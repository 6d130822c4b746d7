package live;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

/** Messages with keys of their own, queue after queue. Options: topics=T1,T2, rate (a second and topic), tags=A,B. */
final class Trickle extends Thread {
    private static final long LOOK_MS = 3000;

    private final Out out;
    private final DefaultMQProducer producer;
    private final String[] topics;
    private final String[] tags;
    private final long pause;
    private final Map<String, List<MessageQueue>> queues = new LinkedHashMap<>();
    private volatile boolean ended;

    Trickle(Out out, DefaultMQProducer producer, Options options) {
        super("live-trickle");
        this.out = out;
        this.producer = producer;
        this.topics = options.get("topics").split(",");
        this.tags = options.get("tags", "A").split(",");
        this.pause = 1000 / Long.parseLong(options.get("rate", "20"));
        setDaemon(true);
    }

    void end() {
        ended = true;
    }

    @Override
    public void run() {
        long looked = 0;
        for (long n = 0; !ended; n++) {
            long now = System.currentTimeMillis();
            if (now - looked > LOOK_MS) {
                looked = now;
                look();
            }
            for (String topic : topics) {
                List<MessageQueue> found = queues.get(topic);
                if (found != null && !found.isEmpty()) {
                    MessageQueue mq = found.get((int) (n % found.size()));
                    send(mq, tags[(int) (n / found.size() % tags.length)], topic + "-" + n);
                }
            }
            try {
                Thread.sleep(Math.max(0, now + pause - System.currentTimeMillis()));
            } catch (InterruptedException e) {
                return;
            }
        }
        out.event("sending-ended");
    }

    private void send(MessageQueue mq, String tag, String key) {
        try {
            Message message = new Message(mq.getTopic(), tag, key, key.getBytes(StandardCharsets.UTF_8));
            SendResult result = producer.send(message, mq);
            out.event("sent", "q", Names.queue(mq), "offset", result.getQueueOffset(), "key", key, "tag", tag, "status",
                result.getSendStatus());
        } catch (Exception e) {
            out.event("send-failed", "q", Names.queue(mq), "key", key, "error", e.getClass().getSimpleName());
        }
    }

    /** Asks for the queues of each topic, which may have more by now. */
    private void look() {
        for (String topic : topics) {
            try {
                List<MessageQueue> found = new ArrayList<>(new TreeSet<>(producer.fetchPublishMessageQueues(topic)));
                if (!found.equals(queues.put(topic, found))) {
                    out.event("queues", "topic", topic, "queues", Names.sorted(found));
                }
            } catch (Exception e) {
                out.event("route-failed", "topic", topic, "error", e.getClass().getSimpleName());
            }
        }
    }
}
