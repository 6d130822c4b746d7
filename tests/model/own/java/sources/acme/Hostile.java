package acme;

import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Does in every call what it was constructed with, as {@code Behaves} does it. */
public class Hostile {
    private final Behaves behaves = new Behaves();
    private final String how;

    public Hostile(String how) {
        this.how = how;
    }

    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll)
        throws Exception {
        return behaves.allocate(group, how, mqAll, cidAll);
    }
}
