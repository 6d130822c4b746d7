package rebalance;

/** Threads and processes that calls leave behind, and that run on: as long as they are few, nobody is disturbed. */
final class Left {
    private static final int MOST = 64;
    private static final long LOOKED_NS = 50_000_000;

    private final int before = Thread.activeCount();
    private long looked = System.nanoTime();

    /** Whether there are too many; processes are looked for now and then only, as that takes long. */
    String tooMany() {
        if (Thread.activeCount() - before > MOST) {
            return "leaves more than " + MOST + " threads behind that run on";
        }
        long now = System.nanoTime();
        if (now - looked > LOOKED_NS) {
            looked = now;
            if (ProcessHandle.current().descendants().count() > MOST) {
                return "leaves more than " + MOST + " processes behind that run on";
            }
        }
        return null;
    }
}
