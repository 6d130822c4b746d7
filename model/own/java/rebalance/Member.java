package rebalance;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;

/** The strategy, called as each member of a group in turn. */
final class Member {
    private final MethodHandle allocate;
    private final QueueType queueType;
    private final Outcome outcome;
    private final Left left = new Left();

    private Member(MethodHandle allocate, QueueType queueType) {
        this.allocate = allocate;
        this.queueType = queueType;
        this.outcome = new Outcome(queueType);
    }

    static Member of(Object strategy) throws NoStrategyException {
        Signature signature = Signature.of(strategy.getClass());
        Method method = signature.allocate();
        MethodHandle allocate;
        try {
            method.setAccessible(true);
            allocate = MethodHandles.lookup().unreflect(method).bindTo(strategy)
                .asType(MethodType.methodType(Object.class, String.class, String.class, List.class, List.class));
        } catch (ReflectiveOperationException | RuntimeException error) {
            throw new NoStrategyException("the allocate of " + strategy.getClass().getName() + " cannot be called: "
                + Thrown.said(error));
        }
        return new Member(allocate, new QueueType(signature.queue()));
    }

    QueueType queueType() {
        return queueType;
    }

    void answer(Batch batch, Shared shared, Answers answers) throws IOException {
        for (int call = 0; call < batch.size(); call++) {
            Queues mqAll = batch.mqAll(call);
            Ids cidAll = batch.cidAll(call);
            String consumerGroup = batch.consumerGroup(call);
            String currentCid = batch.currentCid(call);
            shared.begin(call + 1);
            boolean whole = false;
            try {
                Object found = allocate.invokeExact(consumerGroup, currentCid, mqAll.list(), cidAll.list());
                outcome.read(found, mqAll);
                whole = true;
            } catch (OutOfMemoryError error) {
                outcome.refuse(Outcome.MEMORY, "throws " + Thrown.said(error));
            } catch (Throwable error) {
                outcome.refuse(Outcome.THROWS, "throws " + Thrown.said(error));
            }
            Thread.interrupted(); // an interrupt of one call must not reach the next
            String queueChanged = mqAll.queueChanged(); // a client shares its queues with later calls, not its lists
            String queuesChanged = mqAll.changed();
            String idsChanged = cidAll.changed();
            if (whole && queueChanged != null) {
                outcome.refuse(Outcome.CHANGED, queueChanged);
            }
            outcome.note(queuesChanged != null ? queuesChanged : idsChanged);
            String tooMany = left.tooMany();
            if (tooMany != null) {
                outcome.refuse(Outcome.EXITS, tooMany);
            }
            outcome.write(answers, shared.text());
            if (tooMany != null) {
                break; // this JVM is not used any more
            }
            answers.next();
        }
        answers.flush();
    }
}
