package rebalance;

/** Threads and processes that calls leave behind running; few of them are tolerated. */
final class Left {
    private static final int MOST = 64;
    private static final long LOOKED_NS = 50_000_000;

    private final int before = Thread.activeCount();
    private long looked = System.nanoTime();

    /** A text if there are too many, else null; processes are counted only now and then, as that takes long. */
    String tooMany() {
        if (Thread.activeCount() - before > MOST) {
            return "leaves more than " + MOST + " threads running";
        }
        long now = System.nanoTime();
        if (now - looked > LOOKED_NS) {
            looked = now;
            if (ProcessHandle.current().descendants().count() > MOST) {
                return "leaves more than " + MOST + " processes running";
            }
        }
        return null;
    }
}
