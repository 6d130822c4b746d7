package live;

import java.util.Map;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.impl.MQClientManager;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/**
 * A push consumer that tells what happens to it. Options: out, who, id (instance name), ns, group, sub=T1:tags,T2:tags,
 * strategy, mode=concurrent|ordered, ms (the listener's time for each message), from=FIRST|LAST, hold=1 (waits for the
 * command start), produces=1 (has a producer, too, in the same client instance), set.X=V (any setter of
 * DefaultMQPushConsumer). Commands: see Commands.
 */
public final class Member {
    static final int FAILED = 3;
    private static final int THREADS = 8;

    private Member() {
    }

    public static void main(String[] words) throws Exception {
        Options options = new Options(words);
        String group = options.get("group", "G");
        Out out = new Out(options.get("out"), options.get("who"));
        Release.tell(out);
        Throws thrown = new Throws(out);
        Requests requests = new Requests(out, thrown);
        DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group, requests,
            new Strategy(out, options.get("strategy", "AllocateMessageQueueAveragely")));
        configure(consumer, options);
        Listeners listeners = new Listeners(out, Long.parseLong(options.get("ms", "0")));
        listeners.register(consumer, "ordered".equals(options.get("mode")));

        MQClientInstance instance = MQClientManager.getInstance().getOrCreateMQClientInstance(consumer, requests);
        consumer.setOffsetStore(new Offsets(out, instance, group, thrown));
        DefaultMQPushConsumerImpl impl = consumer.getDefaultMQPushConsumerImpl();
        Table table = new Table(out);
        try {
            Reflect.write(Reflect.read(impl, "rebalanceImpl"), "processQueueTable", table);
        } catch (ReflectiveOperationException | RuntimeException e) {
            out.cannot(e, "entry-new", "entry-gone", "entry");
        }
        out.event("starting", "options", options.told());
        daemon("live-marks", new Marks(out, table));
        daemon("live-pulls", new Pulls.Patch(out, impl, instance, group, thrown));

        Commands commands = new Commands(out, consumer, listeners, thrown);
        if (options.has("hold")) {
            Warm.up(out, options);
            out.event("ready");
            commands.until("start");
        }
        try {
            consumer.start();
            if (options.has("produces")) {
                produce(options);
            }
        } catch (Throwable e) {
            out.event("start-failed", "error", e.toString());
            System.err.println(e);
            Runtime.getRuntime().halt(FAILED);
        }
        out.event("started", "clientId", instance.getClientId());
        commands.until("quit");
        out.event("quit");
        System.exit(0);
    }

    private static void configure(DefaultMQPushConsumer consumer, Options options) throws Exception {
        consumer.setNamesrvAddr(options.get("ns"));
        consumer.setClientIP("127.0.0.1");
        consumer.setInstanceName(options.get("id"));
        consumer.setConsumeThreadMin(THREADS);
        consumer.setConsumeThreadMax(THREADS);
        consumer.setConsumeFromWhere("LAST".equals(options.get("from")) ? ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET
            : ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        for (String each : options.get("sub", "T1").split(",")) {
            String[] topic = each.split(":", 2);
            consumer.subscribe(topic[0], topic.length > 1 ? topic[1] : "*");
        }
        for (Map.Entry<String, String> each : options.below("set.").entrySet()) {
            Reflect.set(consumer, each.getKey(), each.getValue());
        }
    }

    /** A producer that sends nothing: with it the client instance stays when the consumer is shut down. */
    private static void produce(Options options) throws Exception {
        DefaultMQProducer producer = new DefaultMQProducer("P" + options.get("id"));
        producer.setNamesrvAddr(options.get("ns"));
        producer.setClientIP("127.0.0.1");
        producer.setInstanceName(options.get("id"));
        producer.start();
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
