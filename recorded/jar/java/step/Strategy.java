package step;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.common.message.MessageQueue;

/** The client's allocation strategy by a name, observed: AVG, a failure, or always the same queues. */
final class Strategy implements AllocateMessageQueueStrategy {
    private final String name;
    private final Effects effects;

    Strategy(String name, Effects effects) {
        this.name = name;
        this.effects = effects;
    }

    @Override
    public List<MessageQueue> allocate(String group, String id, List<MessageQueue> queues, List<String> ids) {
        effects.add("allocate(" + queues.size() + "," + ids + ")=" + name);
        switch (name) {
            case "avg":
                return ((AllocateMessageQueueStrategy) Reflect.create(
                    "client.consumer.rebalance.AllocateMessageQueueAveragely")).allocate(group, id, queues, ids);
            case "null":
                return null;
            case "throwRT":
                throw new IllegalStateException("scripted allocate");
            case "throwErr":
                throw new AssertionError("scripted allocate");
            default:
                List<MessageQueue> always = new ArrayList<>();
                for (String queue : name.split(",")) {
                    always.add(Names.read(queue));
                }
                return always;
        }
    }

    @Override
    public String getName() {
        return "AVG";
    }
}
