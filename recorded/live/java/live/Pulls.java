package live;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.PullAPIWrapper;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/**
 * The client's own handling of pulls, which tells their results. SubscriptionData is in another package from 5.0 on: a
 * client calls the method that has its own, and the other one is never linked.
 */
final class Pulls extends PullAPIWrapper {
    private final Out out;
    private final Throws thrown;

    Pulls(Out out, MQClientInstance instance, String group, Throws thrown) {
        super(instance, group, false);
        this.out = out;
        this.thrown = thrown;
    }

    @Override
    public PullResult processPullResult(MessageQueue mq, PullResult result,
        org.apache.rocketmq.common.protocol.heartbeat.SubscriptionData subscription) {
        return told(mq, super.processPullResult(mq, result, subscription));
    }

    @Override
    public PullResult processPullResult(MessageQueue mq, PullResult result,
        org.apache.rocketmq.remoting.protocol.heartbeat.SubscriptionData subscription) {
        return told(mq, super.processPullResult(mq, result, subscription));
    }

    private PullResult told(MessageQueue mq, PullResult result) {
        thrown.at(Throws.CALLBACK, Names.queue(mq), "");
        List<Long> got = new ArrayList<>();
        if (result.getMsgFoundList() != null) {
            for (MessageExt each : result.getMsgFoundList()) {
                got.add(each.getQueueOffset());
            }
        }
        out.event("pulled", "q", Names.queue(mq), "status", result.getPullStatus(), "next", result.getNextBeginOffset(),
            "min", result.getMinOffset(), "max", result.getMaxOffset(), "got", got);
        if (got.isEmpty()) { // messages are put into their tree before the request is, and that can be interrupted, too
            thrown.interrupt(Names.queue(mq));
        }
        return result;
    }

    /** start() makes the client's own: this one replaces it as soon as it is there, before the first rebalance. */
    static final class Patch implements Runnable {
        private static final int LOOK_NS = 200_000;
        private final Out out;
        private final DefaultMQPushConsumerImpl impl;
        private final MQClientInstance instance;
        private final String group;
        private final Throws thrown;

        Patch(Out out, DefaultMQPushConsumerImpl impl, MQClientInstance instance, String group, Throws thrown) {
            this.out = out;
            this.impl = impl;
            this.instance = instance;
            this.group = group;
            this.thrown = thrown;
        }

        @Override
        public void run() {
            try {
                while (Reflect.read(impl, "pullAPIWrapper") == null) {
                    Thread.sleep(0, LOOK_NS);
                }
                Reflect.write(impl, "pullAPIWrapper", new Pulls(out, instance, group, thrown));
                out.event("patched");
            } catch (ReflectiveOperationException | InterruptedException | RuntimeException | LinkageError e) {
                out.event("patch-failed", "error", e.toString());
            }
        }
    }
}
