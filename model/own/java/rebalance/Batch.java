package rebalance;

import java.nio.ByteBuffer;

/** A batch of calls of allocate, with the lists that they share. */
final class Batch {
    private static final int NUMBERS = 4;

    private final String[] strings;
    private final Queues[] mqAlls;
    private final Ids[] cidAlls;
    private final int[] calls;

    Batch(ByteBuffer in, QueueType queueType) {
        strings = strings(in);
        mqAlls = new Queues[in.getInt()];
        for (int list = 0; list < mqAlls.length; list++) {
            mqAlls[list] = Queues.read(in, strings, queueType);
        }
        cidAlls = new Ids[in.getInt()];
        for (int list = 0; list < cidAlls.length; list++) {
            cidAlls[list] = Ids.read(in, strings);
        }
        calls = new int[NUMBERS * in.getInt()];
        in.asIntBuffer().get(calls);
    }

    /** Reads texts, each with its number of chars in front. */
    static String[] strings(ByteBuffer in) {
        String[] found = new String[in.getInt()];
        for (int place = 0; place < found.length; place++) {
            char[] chars = new char[in.getInt()];
            in.asCharBuffer().get(chars);
            in.position(in.position() + 2 * chars.length);
            found[place] = new String(chars);
        }
        return found;
    }

    int size() {
        return calls.length / NUMBERS;
    }

    String consumerGroup(int call) {
        return strings[calls[NUMBERS * call]];
    }

    String currentCid(int call) {
        return strings[calls[NUMBERS * call + 1]];
    }

    Queues mqAll(int call) {
        return mqAlls[calls[NUMBERS * call + 2]];
    }

    Ids cidAll(int call) {
        return cidAlls[calls[NUMBERS * call + 3]];
    }
}
