import org.apache.rocketmq.common.CountDownLatch2;

/** A latch that runs a task just before it is reset. */
final class Latch extends CountDownLatch2 {
    interface Task {
        void run() throws Exception;
    }

    private final Task task;

    private Latch(Task task) {
        super(1);
        this.task = task;
    }

    static Latch before(Task task) {
        return new Latch(task);
    }

    @Override
    public void reset() {
        try {
            task.run();
        } catch (Exception error) {
            throw new IllegalStateException(error);
        }
        super.reset();
    }
}
