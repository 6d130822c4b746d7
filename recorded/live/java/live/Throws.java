package live;

import java.util.HashMap;
import java.util.Map;

/** What is thrown, when it is told to, where the client calls code that users can give it. */
final class Throws {
    static final String HOOK = "hook";
    static final String STORE = "store";
    static final String CALLBACK = "callback";

    private final Out out;
    private final Map<String, Integer> left = new HashMap<>();
    private boolean error;

    Throws(Out out) {
        this.out = out;
    }

    /** The next calls there throw: an IllegalStateException, or an Error. */
    synchronized void next(String where, int times, boolean error) {
        left.put(where, times);
        this.error = error;
    }

    /** Throws there if it was told to; what is worked on is the queue's. */
    void at(String where, String queue) {
        boolean asError;
        synchronized (this) {
            int times = left.getOrDefault(where, 0);
            if (times == 0) {
                return;
            }
            left.put(where, times - 1);
            asError = error;
        }
        out.event("threw", "where", where, "q", queue, "error", asError);
        if (asError) {
            throw new AssertionError("as the scenario says");
        }
        throw new IllegalStateException("as the scenario says");
    }
}
