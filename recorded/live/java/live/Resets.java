package live;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageQueue;

/** Asks brokers to reset a group's offsets, as an administrator's tool does. */
final class Resets {
    private static final long TIMEOUT_MS = 5000;

    private Resets() {
    }

    static void ask(Out out, DefaultMQProducer producer, String group, String topic, long timestamp) throws Exception {
        Object client = Reflect.read(Reflect.read(producer, "defaultMQProducerImpl"), "mQClientFactory");
        Object api = Reflect.call(client, "getMQClientAPIImpl");
        Method reset = api.getClass().getMethod("invokeBrokerToResetOffset", String.class, String.class, String.class,
            long.class, boolean.class, long.class);
        Method address = client.getClass().getMethod("findBrokerAddressInPublish", String.class);
        TreeSet<String> brokers = new TreeSet<>();
        for (MessageQueue mq : producer.fetchPublishMessageQueues(topic)) {
            brokers.add(mq.getBrokerName());
        }
        List<String> failed = new ArrayList<>();
        for (String broker : brokers) {
            try {
                Object at = Reflect.invoke(address, client, broker);
                Reflect.invoke(reset, api, at, topic, group, timestamp, true, TIMEOUT_MS);
            } catch (ReflectiveOperationException | RuntimeException e) {
                failed.add(broker + ": " + (e.getCause() == null ? e : e.getCause()));
            }
        }
        out.event("reset-asked", "group", group, "topic", topic, "timestamp", timestamp, "failed", failed);
    }
}
