package rebalance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The outcome of one call; the same object is used for all. {@code protocol.py} describes its encoding. */
final class Outcome {
    /** Places in KINDS of protocol.py. */
    static final int THROWS = 0;
    static final int MEMORY = 1;
    static final int NULL = 2;
    static final int NOT_A_LIST = 3;
    static final int FOREIGN_TYPE = 4;
    static final int CHANGED = 5;
    /** After this kind the JVM is not used any more. */
    static final int EXITS = 6;

    private static final int NONE = -1;
    private static final int REFUSED = -1;
    private static final int SPELLED_OUT = -2;
    private static final int NOTED = -3;
    private static final int NULL_QUEUE = -1;
    private static final int OTHER_QUEUE = -2;
    private static final int MOST = 100_000;

    private final QueueType type;
    private int kind;
    private String what;
    private int[] positions = new int[64];
    private int count;
    private boolean plain;
    private String changed;
    private final List<Object> others = new ArrayList<>();

    Outcome(QueueType type) {
        this.type = type;
    }

    void refuse(int kind, String what) {
        this.kind = kind;
        this.what = what;
    }

    /** Reads the result of allocate. Throws whatever methods of the strategy's own lists and queues throw. */
    void read(Object found, Queues mqAll) throws Throwable {
        kind = NONE;
        count = 0;
        plain = true;
        others.clear();
        if (found == null) {
            refuse(NULL, "returns null");
        } else if (found instanceof List) {
            queues((List<?>) found, mqAll);
        } else {
            refuse(NOT_A_LIST, "returns a " + found.getClass().getName() + " instead of a list");
        }
    }

    private void queues(List<?> list, Queues mqAll) throws Throwable {
        int expected = 0;
        for (Object queue : list) {
            if (count == MOST) {
                refuse(NOT_A_LIST, "returns a list of more than " + MOST + " queues");
                return;
            }
            if (queue == null) {
                add(NULL_QUEUE);
            } else if (!type.has(queue)) {
                refuse(FOREIGN_TYPE, "returns a list with a " + queue.getClass().getName() + ", which is not a queue");
                return;
            } else {
                int position = mqAll.position(queue, expected);
                if (position != Queues.NOWHERE) {
                    add(position);
                    expected = position + 1;
                } else if (type.topic(queue) == null || type.brokerName(queue) == null) {
                    refuse(FOREIGN_TYPE, "returns a list with a queue without a topic or a brokerName");
                    return;
                } else {
                    add(OTHER_QUEUE);
                    others.add(type.topic(queue));
                    others.add(type.brokerName(queue));
                    others.add(type.queueId(queue));
                }
            }
        }
    }

    private void add(int position) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
        }
        positions[count++] = position;
        plain &= position >= 0;
    }

    /** Notes how the call changed a list; null if it did not. */
    void note(String changed) {
        this.changed = changed;
    }

    void write(Answers answers, String printed) {
        if (changed != null) {
            answers.number(NOTED);
            answers.text(changed);
        }
        if (kind != NONE) {
            answers.number(REFUSED);
            answers.number(kind);
            answers.text(what);
            answers.text(printed);
            return;
        }
        boolean spelledOut = !plain || !printed.isEmpty();
        if (spelledOut) {
            answers.number(SPELLED_OUT);
        }
        answers.number(count);
        for (int place = 0, other = 0; place < count; place++) {
            answers.number(positions[place]);
            if (positions[place] == OTHER_QUEUE) {
                answers.text((String) others.get(other++));
                answers.text((String) others.get(other++));
                answers.number((int) others.get(other++));
            }
        }
        if (spelledOut) {
            answers.text(printed);
        }
    }
}
