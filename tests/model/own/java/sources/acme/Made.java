package acme;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.apache.rocketmq.common.message.MessageQueue;

/** Strategies that are made in several ways, or cannot be. What they were given is the name of a queue. */
public class Made {
    public static class Base {
        String said = "";

        public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
            return List.of(new MessageQueue(said, "", mqAll.size()));
        }
    }

    /** Its constructors tell themselves apart. */
    public static class Arguments extends Base {
        public Arguments() {
            said = "none";
        }

        public Arguments(String text) {
            said = "text " + text;
        }

        public Arguments(int number) {
            said = "int " + number;
        }

        public Arguments(String text, long number, double fraction, boolean flag) {
            said = text + " " + number + " " + fraction + " " + flag;
        }

        public Arguments(Thread.State state, Thread.State other) {
            said = state + " " + other;
        }

        public Arguments(Function<String, String> rooms, Collection<String> names, List<MessageQueue> queues) {
            for (String name : names) {
                said += name + " in " + rooms.apply(name) + ", ";
            }
            said += queues;
        }

        public void setSaid(List<String> said) {
            this.said += said;
        }
    }

    static class Hidden extends Base {
        private Hidden() {
            said = "hidden";
        }
    }

    public abstract static class Abstract extends Base {
    }

    public static class NoAllocate {
        public List<MessageQueue> allocate(List<MessageQueue> mqAll) {
            return mqAll;
        }
    }

    public static class StaticInitialiser extends Base {
        static final int NUMBER = Integer.parseInt("many");
    }

    public static class Throws extends Base {
        public Throws() {
            throw new IllegalArgumentException("not today");
        }
    }

    public static class Exits extends Base {
        public Exits() {
            System.exit(7);
        }
    }

    public static class Hangs extends Base {
        public Hangs() throws InterruptedException {
            Thread.sleep(600_000);
        }
    }

    /** A file is there when it is made once more. */
    public static class Once extends Base {
        public Once(String path) throws java.io.IOException {
            if (!new java.io.File(path).createNewFile()) {
                throw new IllegalStateException("made twice");
            }
        }

        @Override
        public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
            if (cid.equals("exits")) {
                System.exit(1);
            }
            return mqAll;
        }
    }

    public static class NeedsWhatIsNotThere extends Base {
        private final Absent absent = new Absent();
    }

    public static class Absent {
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static class Raw {
        public List allocate(String group, String cid, List mqAll, List cidAll) {
            return mqAll;
        }
    }

    public interface Generic<Q> {
        List<Q> allocate(String group, String cid, List<Q> mqAll, List<String> cidAll);
    }

    public static class OfInterface implements Generic<MessageQueue> {
        @Override
        public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
            return mqAll;
        }
    }

    public static class Loose {
        public Object allocate(String group, String cid, Collection<? extends MessageQueue> mqAll, List<String> all) {
            return mqAll.toString();
        }
    }

    /** A class of queues of somebody else's. */
    public static class OtherQueue {
        private final String topic;
        private final String brokerName;
        private final int queueId;

        OtherQueue(String topic, String brokerName, int queueId) {
            this.topic = topic;
            this.brokerName = brokerName;
            this.queueId = queueId;
        }

        public String getTopic() {
            return topic;
        }

        public String getBrokerName() {
            return brokerName;
        }

        public int getQueueId() {
            return queueId;
        }
    }

    public static class OfOtherQueues {
        public List<OtherQueue> allocate(String group, String cid, List<OtherQueue> mqAll, List<String> cidAll) {
            return mqAll.subList(1, mqAll.size());
        }
    }

    public static class OfTexts {
        public List<String> allocate(String group, String cid, List<String> mqAll, List<String> cidAll) {
            return mqAll;
        }
    }

    /** Another answer each time that it is asked. */
    public static class Counts extends Base {
        private int calls;

        @Override
        public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll) {
            return mqAll.subList(0, calls++ % 2);
        }
    }
}
