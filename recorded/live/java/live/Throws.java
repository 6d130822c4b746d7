package live;

import java.util.HashMap;
import java.util.Map;

/** What is thrown, when it is told to, where the client calls code that users can give it. */
final class Throws {
    static final String HOOK = "hook";
    static final String STORE = "store";
    static final String CALLBACK = "callback";
    static final String INTERRUPT = "interrupt";

    private final Out out;
    private final Map<String, Integer> left = new HashMap<>();
    private final Map<String, Boolean> errors = new HashMap<>();

    Throws(Out out) {
        this.out = out;
    }

    /** The next calls there throw: an IllegalStateException, or an Error. */
    synchronized void next(String where, int times, boolean error) {
        left.put(where, times);
        errors.put(where, error);
    }

    /** Throws there if it was told to; what is worked on is the queue's, and goes to that address. */
    void at(String where, String queue, String to) {
        if (!isDue(where)) {
            return;
        }
        boolean asError = asError(where);
        out.event("threw", "where", where, "q", queue, "error", asError, "to", to);
        if (asError) {
            throw new AssertionError("as the scenario says");
        }
        throw new IllegalStateException("as the scenario says");
    }

    /** Interrupts this thread if it was told to, so that the next wait throws: a request is put into its queue then. */
    void interrupt(String queue) {
        if (isDue(INTERRUPT)) {
            out.event("threw", "where", INTERRUPT, "q", queue, "error", false, "to", "");
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isDue(String where) {
        int times = left.getOrDefault(where, 0);
        left.put(where, Math.max(0, times - 1));
        return times > 0;
    }

    private synchronized boolean asError(String where) {
        return errors.getOrDefault(where, false);
    }
}
