package live;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.common.message.MessageQueue;

/** One of the client's own strategies, or the user's, which tells what it was called with and what it gave. */
final class Strategy implements AllocateMessageQueueStrategy {
    private final Out out;
    private final AllocateMessageQueueStrategy inner;

    Strategy(Out out, String name) throws ReflectiveOperationException {
        this.out = out;
        String type = name.contains(".") ? name : "org.apache.rocketmq.client.consumer.rebalance." + name;
        this.inner = (AllocateMessageQueueStrategy) Class.forName(type).getDeclaredConstructor().newInstance();
    }

    @Override
    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        List<MessageQueue> result = null;
        String error = null;
        try {
            result = inner.allocate(group, cid, mqAll, cidAll);
            return result;
        } catch (RuntimeException e) {
            error = e.toString();
            throw e;
        } finally {
            out.event("allocate", "topic", mqAll == null || mqAll.isEmpty() ? "" : mqAll.get(0).getTopic(), "strategy",
                inner.getName(), "cid", cid, "mqAll", Names.asTheyCome(mqAll), "cidAll",
                cidAll == null ? null : new ArrayList<>(cidAll), "result", Names.asTheyCome(result), "error", error);
        }
    }

    @Override
    public String getName() {
        return inner.getName();
    }
}
