package step;

import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.common.message.MessageQueue;

/** A process queue from before the first operation, whose setters and consume lock are observed. */
final class Entry extends ProcessQueue {
    static final long EXPIRED = 200_000;
    static final long LONG_AGO = 25_000;

    private final MessageQueue queue;
    private final Effects effects;
    private int lock;
    private boolean observed;

    /** {@code state}: such as {@code d0l1e0a0c0m0}. */
    @SuppressWarnings("unchecked")
    Entry(MessageQueue queue, String state, Effects effects) {
        this.queue = queue;
        this.effects = effects;
        long now = System.currentTimeMillis();
        setDropped(digit(state, 'd') == 1);
        setLocked(digit(state, 'l') == 1);
        setLastPullTimestamp(digit(state, 'e') == 1 ? now - EXPIRED : now);
        setLastLockTimestamp(digit(state, 'a') == 1 ? now - LONG_AGO : now);
        lock = digit(state, 'c');
        for (long message = 0; message < digit(state, 'm'); message++) {
            ((TreeMap<Long, Object>) Reflect.read(this, "msgTreeMap")).put(message, null);
        }
        boolean both = ReadWriteLock.class.isAssignableFrom(Reflect.field(getClass(), "consumeLock").getType());
        Reflect.write(this, "consumeLock", both ? new Both() : new Consume());
        observed = true;
    }

    private static int digit(String state, char letter) {
        return state.charAt(state.indexOf(letter) + 1) - '0';
    }

    void free() {
        lock = 0;
    }

    @Override
    public void setDropped(boolean dropped) {
        super.setDropped(dropped);
        if (observed) {
            effects.add(dropped ? "drop" : "undrop", queue);
        }
    }

    @Override
    public void setLocked(boolean locked) {
        super.setLocked(locked);
        if (observed) {
            effects.add("pqLocked=" + (locked ? 1 : 0), queue);
        }
    }

    @Override
    public void incTryUnlockTimes() {
        super.incTryUnlockTimes();
        effects.add("tryUnlockTimes++", queue);
    }

    private final class Consume implements Lock {
        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            String asked = "tryConsumeLock(" + unit.toMillis(time) + ")=";
            if (lock == 2) {
                effects.add(asked + "INT", queue);
                throw new InterruptedException();
            }
            effects.add(asked + (1 - lock), queue);
            return lock == 0;
        }

        @Override
        public void unlock() {
            effects.add("releaseConsumeLock", queue);
        }

        @Override
        public boolean tryLock() {
            effects.add("tryConsumeLock()=" + (lock == 0 ? 1 : 0), queue);
            return lock == 0;
        }

        @Override
        public void lock() {
            effects.add("consumeLock", queue);
        }

        @Override
        public void lockInterruptibly() {
            lock();
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }

    private final class Both implements ReadWriteLock {
        private final Lock write = new Consume();

        @Override
        public Lock readLock() {
            throw new UnsupportedOperationException("a rebalance takes the consume lock to read");
        }

        @Override
        public Lock writeLock() {
            return write;
        }
    }
}
