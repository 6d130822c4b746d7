package live;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.apache.rocketmq.client.producer.DefaultMQProducer;

/** Makes topics, or gives them more queues. */
final class Topics {
    private static final int TRIES = 60;
    private static final long PAUSE_MS = 500;
    /** A topic that every broker has: a new one is made at each of them. */
    private static final String EVERYWHERE = "TBW102";

    private Topics() {
    }

    static void create(Out out, DefaultMQProducer producer, String topic, int queues) throws Exception {
        for (int tried = 1;; tried++) {
            try {
                create(producer, topic, queues);
                break;
            } catch (ReflectiveOperationException e) {
                if (tried >= TRIES) {
                    throw e;
                }
                Thread.sleep(PAUSE_MS); // the broker is not known at the name server yet
            }
        }
        out.event("topic", "topic", topic, "queues", queues);
    }

    /** From 5.0 on there are attributes. */
    private static void create(DefaultMQProducer producer, String topic, int queues) throws Exception {
        Class<?> type = producer.getClass();
        Method method;
        try {
            method = type.getMethod("createTopic", String.class, String.class, int.class, Map.class);
        } catch (NoSuchMethodException e) {
            method = type.getMethod("createTopic", String.class, String.class, int.class);
        }
        Object[] arguments = {EVERYWHERE, topic, queues, new HashMap<String, String>()};
        Reflect.invoke(method, producer, java.util.Arrays.copyOf(arguments, method.getParameterCount()));
    }
}
