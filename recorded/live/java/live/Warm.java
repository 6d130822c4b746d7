package live;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;

/** A consumer of a group of its own that is started and shut down, so that the next one's start takes no time. */
final class Warm {
    private static final long MS = 3000;

    private Warm() {
    }

    static void up(Out out, Options options) throws Exception {
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("WARM-" + options.get("id"));
        consumer.setNamesrvAddr(options.get("ns"));
        consumer.setClientIP("127.0.0.1");
        consumer.setInstanceName("warm-" + options.get("id"));
        consumer.subscribe(options.get("sub", "T1").split(",")[0].split(":")[0], "*");
        consumer.registerMessageListener(
            (MessageListenerOrderly) (messages, context) -> ConsumeOrderlyStatus.SUCCESS);
        try {
            consumer.start();
        } catch (Throwable e) {
            out.event("start-failed", "error", e.toString());
            System.err.println(e);
            Runtime.getRuntime().halt(Member.FAILED);
        }
        Thread.sleep(MS);
        consumer.shutdown();
    }
}
