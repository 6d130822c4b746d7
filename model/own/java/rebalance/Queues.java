package rebalance;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** An mqAll. Strategies get the same list and queue objects again and again, as long as they do not change them. */
final class Queues {
    /** The position of a queue that is not in the list. */
    static final int NOWHERE = -1;

    private final QueueType type;
    private final String[] topics;
    private final String[] brokerNames;
    private final int[] queueIds;
    private Object[] queues;
    private List<Object> list;
    private Map<Object, Integer> positions;

    private Queues(QueueType type, String[] topics, String[] brokerNames, int[] queueIds) {
        this.type = type;
        this.topics = topics;
        this.brokerNames = brokerNames;
        this.queueIds = queueIds;
        renew();
    }

    static Queues read(ByteBuffer in, String[] strings, QueueType type) {
        int count = in.getInt();
        String[] topics = new String[count];
        String[] brokerNames = new String[count];
        int[] queueIds = new int[count];
        for (int place = 0; place < count; place++) {
            topics[place] = strings[in.getInt()];
            brokerNames[place] = strings[in.getInt()];
            queueIds[place] = in.getInt();
        }
        return new Queues(type, topics, brokerNames, queueIds);
    }

    List<Object> list() {
        return list;
    }

    /** The position of that object, else of the first equal queue, else NOWHERE. Throws whatever its methods throw. */
    int position(Object queue, int expected) throws Throwable {
        if (expected < queues.length && queues[expected] == queue) {
            return expected;
        }
        Integer found = positions.get(queue);
        if (found != null) {
            return found;
        }
        String topic = type.topic(queue);
        String brokerName = type.brokerName(queue);
        int queueId = type.queueId(queue);
        for (int place = 0; place < queues.length; place++) {
            if (queueId == queueIds[place] && topics[place].equals(topic) && brokerNames[place].equals(brokerName)) {
                return place;
            }
        }
        return NOWHERE;
    }

    /** A text about a strategy's change of the list, null if there is none. Changed lists and queues are restored. */
    String changed() {
        String found = difference();
        if (found != null || queueChanged() != null) {
            renew();
        }
        return found;
    }

    private String difference() {
        if (list.size() != queues.length) {
            return "changes mqAll: it had " + queues.length + " queues, and has " + list.size();
        }
        for (int place = 0; place < queues.length; place++) {
            if (list.get(place) != queues[place]) {
                return "changes mqAll: another object is at position " + place;
            }
        }
        return null;
    }

    /** A text about a strategy's change of a queue itself, null if there is none. */
    String queueChanged() {
        try {
            return otherQueue();
        } catch (Throwable error) {
            return "changes a queue of mqAll: reading it throws " + Thrown.said(error);
        }
    }

    private String otherQueue() throws Throwable {
        for (int place = 0; place < queues.length; place++) {
            Object queue = queues[place];
            String topic = type.topic(queue);
            if (!topics[place].equals(topic)) {
                return "changes the topic of the queue at position " + place + " of mqAll to " + shown(topic);
            }
            String brokerName = type.brokerName(queue);
            if (!brokerNames[place].equals(brokerName)) {
                return "changes the brokerName of the queue at position " + place + " of mqAll to " + shown(brokerName);
            }
            int queueId = type.queueId(queue);
            if (queueId != queueIds[place]) {
                return "changes the queueId of the queue at position " + place + " of mqAll to " + queueId;
            }
        }
        return null;
    }

    private static String shown(String text) {
        return text == null ? "null" : Thrown.cut(text);
    }

    private void renew() {
        queues = new Object[topics.length];
        positions = new IdentityHashMap<>();
        for (int place = 0; place < queues.length; place++) {
            queues[place] = type.queue(topics[place], brokerNames[place], queueIds[place]);
            positions.put(queues[place], place);
        }
        list = new ArrayList<>(Arrays.asList(queues));
    }
}
