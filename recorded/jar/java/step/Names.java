package step;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Names of queues: {@code topic/broker/queueId}. */
final class Names {
    private Names() {
    }

    static String queue(MessageQueue queue) {
        return queue.getTopic() + "/" + queue.getBrokerName() + "/" + queue.getQueueId();
    }

    static MessageQueue read(String name) {
        String[] parts = name.split("/");
        return new MessageQueue(parts[0], parts[1], Integer.parseInt(parts[2]));
    }

    static List<String> all(Collection<MessageQueue> queues) {
        List<String> names = new ArrayList<>();
        for (MessageQueue queue : queues) {
            names.add(queue(queue));
        }
        return names;
    }

    /** The names in order, such as {@code {T/b0/0 T/b0/1}}. */
    static String set(Collection<MessageQueue> queues) {
        if (queues == null) {
            return "null";
        }
        List<String> names = all(queues);
        names.sort(null);
        return "{" + String.join(" ", names) + "}";
    }
}
