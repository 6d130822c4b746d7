import java.lang.reflect.Field;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.rocketmq.common.ServiceThread;

/**
 * Measures how long a released ServiceThread waits, in fixed interleavings and in many random ones.
 *
 * Prints one line a measurement: its name, and the duration in ms or a count. Argument: the number of random rounds.
 */
public class Waits extends ServiceThread {
    static final long WAIT = 400;
    /** Number of the round that the waiting thread has begun, and of the last one whose wake-up has come. */
    volatile int begun, woken;

    @Override
    public String getServiceName() {
        return "Waits";
    }

    @Override
    public void run() {
    }

    public static void main(String[] words) throws Exception {
        Waits before = new Waits();
        before.wakeup();
        say("woken-before", before.waits());

        Waits during = new Waits();
        Thread waker = new Thread(() -> {
            sleeps(WAIT / 4);
            during.wakeup();
        });
        waker.start();
        say("woken-during", during.waits());

        between();

        Waits permitted = new Waits();
        LockSupport.unpark(Thread.currentThread());
        say("permit-only", permitted.waits());

        Waits interrupted = new Waits();
        Thread.currentThread().interrupt();
        say("interrupted-first", interrupted.waits());
        say("interrupted-second", interrupted.waits());
        say("still-interrupted", Thread.interrupted() ? 1 : 0);

        random(Integer.parseInt(words[0]));
    }

    /** A wake-up after the check of the flag and before the reset of the latch, and another one during the wait. */
    static void between() throws Exception {
        Waits waits = new Waits();
        Field latch;
        try {
            latch = ServiceThread.class.getDeclaredField("waitPoint");
        } catch (NoSuchFieldException none) {
            return; // no latch: there is no such moment
        }
        latch.setAccessible(true);
        latch.set(waits, Latch.before(() -> {
            inAnotherThread(waits::wakeup).join();
            inAnotherThread(() -> {
                sleeps(WAIT / 4);
                waits.wakeup();
            });
        }));
        say("woken-between", waits.waits());
    }

    /** Each round has one wake-up, at a random moment around the start of the wait. */
    static void random(int rounds) throws Exception {
        Waits waits = new Waits();
        Thread waker = new Thread(() -> {
            SplittableRandom random = new SplittableRandom(1);
            for (int round = 1; round <= rounds; round++) {
                while (waits.begun < round) {
                    Thread.yield();
                }
                for (int spins = random.nextInt(400); spins > 0; spins--) {
                    waits.isStopped();
                }
                waits.woken = round;
                waits.wakeup();
            }
        });
        waker.setDaemon(true);
        waker.start();
        int lost = 0, early = 0;
        for (int round = 1; round <= rounds; round++) {
            waits.begun = round;
            long waited = waits.waits();
            if (waited >= WAIT) {
                lost++;
            } else if (waits.woken < round) {
                early++;
            }
            while (waits.woken < round) {
                Thread.yield();
            }
        }
        say("random-rounds", rounds);
        say("random-lost", lost);
        say("random-early", early);
    }

    long waits() {
        long since = System.nanoTime();
        waitForRunning(WAIT);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }

    static Thread inAnotherThread(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    static void sleeps(long time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException error) {
            throw new IllegalStateException(error);
        }
    }

    static void say(String name, long number) {
        System.out.println(name + " " + number);
    }
}
