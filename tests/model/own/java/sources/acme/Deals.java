package acme;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Deals queues out; with a second argument, one that is wrong in that way. */
public class Deals {
    private final int step;
    private final String wrong;

    public Deals(int step) {
        this(step, "");
    }

    public Deals(int step, String wrong) {
        this.step = step;
        this.wrong = wrong;
    }

    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
        List<MessageQueue> taken = new ArrayList<>();
        for (int place = cidAll.indexOf(cid); place < mqAll.size(); place += cidAll.size() * step) {
            taken.add(mqAll.get(place));
        }
        while (wrong.equals("loops")) {
            taken.clear();
        }
        if (cidAll.size() == 3 && wrong.equals("throws")) {
            throw new IllegalStateException("three is a crowd");
        }
        if (cidAll.size() == 3 && cidAll.indexOf(cid) == 1 && mqAll.size() == 4 && wrong.equals("exits")) {
            System.exit(0);
        }
        if (cidAll.size() == 3 && wrong.equals("exits always")) {
            Runtime.getRuntime().halt(3);
        }
        if (wrong.equals("goes by addresses")) {
            return new ArrayList<>(new HashSet<>(mqAll)); // MessageQueue here has no hashCode
        }
        return taken;
    }
}
