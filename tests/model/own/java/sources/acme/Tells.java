package acme;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Returns all that it is given: mqAll from its end, a null, and queues that are named like the rest. */
public class Tells {
    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        List<MessageQueue> told = new ArrayList<>(mqAll);
        Collections.reverse(told);
        told.add(null);
        told.add(new MessageQueue("group " + group, "current " + cid, cidAll.size()));
        for (int place = 0; place < cidAll.size(); place++) {
            told.add(new MessageQueue("id", cidAll.get(place) + "!", place));
        }
        return told;
    }
}
