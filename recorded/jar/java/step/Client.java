package step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.MessageQueueListener;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.client.impl.consumer.DefaultLitePullConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPullConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.DefaultMQPushConsumerImpl;
import org.apache.rocketmq.client.impl.consumer.ProcessQueue;
import org.apache.rocketmq.client.impl.consumer.RebalanceImpl;
import org.apache.rocketmq.common.message.MessageQueue;

/** One consumer of a case: the client's own rebalance with a scripted surrounding. */
final class Client {
    static final String GROUP = "G";
    private static final char SEPARATOR = '\u0001';

    final Effects effects = new Effects();
    final Answers answers;
    final Tasks tasks = new Tasks(effects);
    final Map<String, List<String>> ids = new HashMap<>();
    final Broker broker;
    final Admin admin;
    final Pulls pulls;
    private final Map<String, String> assignments = new HashMap<>();
    private final Map<MessageQueue, ProcessQueue> former = new LinkedHashMap<>();
    private final Table table = new Table(effects);
    private final boolean orderly;
    private final Object ownStore;
    private final OffsetFile file;
    private final RebalanceImpl rebalance;
    private final Object consumer;
    private MessageQueue current;

    Client(Instance instance, Answers answers, List<String[]> given) throws Throwable {
        Map<String, String> one = new HashMap<>();
        for (String[] words : given) {
            one.put(words[0], words.length > 1 ? words[1] : "");
        }
        String stores = one.getOrDefault("store", "scripted");
        String model = one.getOrDefault("model", "C").equals("B") ? "BROADCASTING" : "CLUSTERING";
        this.answers = answers;
        orderly = one.getOrDefault("orderly", "0").equals("1");
        admin = new Admin(instance, answers, effects, !stores.equals("scripted"));
        pulls = new Pulls(instance, effects);
        broker = new Broker(answers, effects, assignments, admin);
        ownStore = stores.equals("remote") ? Store.remote(instance, GROUP)
            : stores.equals("local") ? Store.local(instance, GROUP) : null;
        file = stores.equals("local") ? new OffsetFile(instance, GROUP, ownStore) : null;
        instance.serve(this);
        OffsetStore store = Store.observed(answers, effects, ownStore, file);
        Object implementation;
        switch (one.getOrDefault("kind", "push")) {
            case "push":
                consumer = new Consumer(GROUP, effects);
                implementation = Reflect.read(consumer, "defaultMQPushConsumerImpl");
                rebalance = new Push((DefaultMQPushConsumerImpl) implementation, this);
                Reflect.write(implementation, "consumeOrderly", orderly);
                break;
            case "pull":
                consumer = new DefaultMQPullConsumer(GROUP);
                implementation = Reflect.read(consumer, "defaultMQPullConsumerImpl");
                rebalance = new Pull((DefaultMQPullConsumerImpl) implementation, this);
                break;
            default:
                consumer = new DefaultLitePullConsumer(GROUP);
                implementation = Reflect.read(consumer, "defaultLitePullConsumerImpl");
                rebalance = new LitePull((DefaultLitePullConsumerImpl) implementation, this);
        }
        Reflect.write(implementation, "offsetStore", store);
        Reflect.write(implementation, "mQClientFactory", instance);
        Reflect.setEnum(consumer, "setMessageModel", model);
        Reflect.setEnum(rebalance, "setMessageModel", model);
        Reflect.write(rebalance, "processQueueTable", table);
        rebalance.setmQClientFactory(instance);
        rebalance.setConsumerGroup(GROUP);
        rebalance.setAllocateMessageQueueStrategy(new Strategy(one.getOrDefault("strategy", "avg"), effects));
        for (String[] words : given) {
            set(words);
        }
        effects.list.clear();
    }

    private void set(String[] words) throws Throwable {
        List<String> rest = Arrays.asList(words).subList(Math.min(2, words.length), words.length);
        switch (words[0]) {
            case "where":
                if (Reflect.has(consumer.getClass(), "consumeFromWhere")) { // a pull consumer has none
                    Reflect.writeEnum(consumer, "consumeFromWhere", words[1]);
                }
                break;
            case "have":
                MessageQueue queue = Names.read(words[1]);
                ProcessQueue entry = new Entry(queue, words[2], effects);
                former.put(queue, entry);
                table.have(queue, entry);
                break;
            case "mem":
                Reflect.call(
                    Reflect.method(ownStore.getClass(), "updateOffset", 3), ownStore, Names.read(words[1]),
                    Long.parseLong(words[2]), false);
                break;
            case "file":
                if (words[2].equals("unreadable")) {
                    file.spoil();
                } else {
                    file.store(Names.read(words[1]), Long.parseLong(words[2]));
                }
                break;
            case "subscribed":
                subscribe(words[1]);
                break;
            case "route":
                map("topicSubscribeInfoTable").put(words[1], queues(rest));
                break;
            case "cids":
                ids.put(words[1], new ArrayList<>(rest));
                break;
            case "immutable":
                ids.put(words[1], Collections.unmodifiableList(rest));
                break;
            case "assignment":
                assignments.put(words[1], String.join(" ", rest));
                break;
            case "clientRebalance":
                if (Reflect.has(consumer.getClass(), "clientRebalance")) { // from 5.0 on
                    property("setClientRebalance", words[1].equals("1"));
                }
                break;
            case "thrTopic":
                property("setPullThresholdForTopic", Integer.parseInt(words[1]));
                break;
            case "thrSizeTopic":
                property("setPullThresholdSizeForTopic", Integer.parseInt(words[1]));
                break;
            case "listener":
                listen(words[1].equals("throw"));
                break;
            default:
        }
    }

    private void property(String setter, Object value) throws Throwable {
        Reflect.call(Reflect.method(consumer.getClass(), setter, 1), consumer, value);
    }

    private void listen(boolean fails) throws Throwable {
        MessageQueueListener listener = (topic, all, mine) -> {
            String what = "listener(" + topic + ",all=" + Names.set(all) + ",mine=" + Names.set(mine) + ")";
            effects.add(what + (fails ? "=throw" : ""));
            if (fails) {
                throw new IllegalStateException("scripted listener");
            }
        };
        if (Reflect.has(consumer.getClass(), "messageQueueListener")) { // a push consumer has none before 5.2
            Reflect.write(consumer, "messageQueueListener", listener);
        }
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> map(String name) {
        return (Map<String, Object>) Reflect.read(rebalance, name);
    }

    private void subscribe(String topic) throws Throwable {
        Object data = Reflect.create(Reflect.type(
            "remoting.protocol.heartbeat.SubscriptionData", "common.protocol.heartbeat.SubscriptionData"));
        Reflect.call(Reflect.method(data.getClass(), "setTopic", 1), data, topic);
        map("subscriptionInner").put(topic, data);
    }

    private static Set<MessageQueue> queues(List<String> names) {
        Set<MessageQueue> found = new HashSet<>();
        for (String name : names) {
            found.add(Names.read(name));
        }
        return found;
    }

    /** Runs a lock or unlock request about one queue. */
    boolean about(MessageQueue queue, BooleanSupplier request) {
        MessageQueue before = current;
        current = queue;
        try {
            return request.getAsBoolean();
        } finally {
            current = before;
        }
    }

    /** Runs a request about one queue that has no result. */
    void act(MessageQueue queue, Runnable request) {
        about(queue, () -> {
            request.run();
            return true;
        });
    }

    /** Notes that the client calls {@code messageQueueChanged}. */
    void changed(String topic, Set<MessageQueue> all, Set<MessageQueue> mine) {
        effects.add("mqChanged(" + topic + ",all=" + Names.set(all) + ",mine=" + Names.set(mine) + ")");
    }

    /** Whether the client does not know the broker's address; only requests about locks are scripted like that. */
    boolean hasNoAddress(String name) {
        if (current != null) {
            return answers.ask(current, "lock").equals("nobroker");
        }
        for (MessageQueue queue : table.keySet()) {
            if (queue.getBrokerName().equals(name)
                && "nobroker".equals(answers.fixed(Names.queue(queue), "lock"))) {
                return true;
            }
        }
        return false;
    }

    /** Performs one operation and returns its results as one line. */
    String perform(String[] words) throws Throwable {
        effects.list.clear();
        String returned = "void";
        String thrown = "-";
        try {
            Object result = operate(words);
            returned = result == null ? "void" : result.toString();
        } catch (Reflect.Unknown | LinkageError e) {
            throw e;
        } catch (Throwable e) {
            returned = "-";
            thrown = e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ":" + e.getMessage());
        }
        return String.join("\t", returned, clean(thrown), joined(effects.list), joined(states()), joined(old()),
            Integer.toString(tasks.waiting.size()), joined(memory()));
    }

    private static String clean(String text) {
        return text.replaceAll("[\\t\\r\\n\u0001]", " ");
    }

    private static String joined(List<String> texts) {
        return String.join(String.valueOf(SEPARATOR), texts);
    }

    private static String state(ProcessQueue entry) {
        return "d" + (entry.isDropped() ? 1 : 0) + "l" + (entry.isLocked() ? 1 : 0) + "t" + entry.getTryUnlockTimes();
    }

    private List<String> states() {
        List<String> found = new ArrayList<>();
        for (Map.Entry<MessageQueue, ProcessQueue> each : table.entrySet()) {
            String origin = each.getValue() == former.get(each.getKey()) ? "S:" : "N:";
            found.add(Names.queue(each.getKey()) + "=" + origin + state(each.getValue()));
        }
        return found;
    }

    private List<String> old() {
        List<String> found = new ArrayList<>();
        former.forEach((queue, entry) -> found.add(Names.queue(queue) + "=" + state(entry)));
        return found;
    }

    private List<String> memory() throws Throwable {
        return ownStore == null ? List.of() : offsets(
            Reflect.call(Reflect.method(ownStore.getClass(), "cloneOffsetTable", 1), ownStore, ""));
    }

    private static List<String> offsets(Object table) {
        List<String> found = new ArrayList<>();
        ((Map<?, ?>) table).forEach((queue, offset) -> found.add(Names.queue((MessageQueue) queue) + "=" + offset));
        return found;
    }

    private Object operate(String[] words) throws Throwable {
        List<String> rest = Arrays.asList(words).subList(1, words.length);
        switch (words[0]) {
            case "update":
                return Reflect.call(
                    Reflect.method(RebalanceImpl.class, "updateProcessQueueTableInRebalance", 3), rebalance, words[1],
                    queues(rest.subList(2, rest.size())), words[2].equals("1"));
            case "withException":
                return rebalance.computePullFromWhereWithException(Names.read(words[1]));
            case "computePullFromWhere":
                return rebalance.computePullFromWhere(Names.read(words[1]));
            case "file":
                return String.join(" ", offsets(file.offsets()));
            case "tableOrder":
                return String.join(" ", Names.all(table.keySet()));
            case "setOrder":
                return String.join(" ", Names.all(queues(rest)));
            case "doRebalance":
                return Reflect.call(Reflect.method(RebalanceImpl.class, "doRebalance", 1), rebalance, orderly);
            case "rebalanceByTopic":
                return Reflect.call(
                    Reflect.method(RebalanceImpl.class, "rebalanceByTopic", 2), rebalance, words[1], orderly);
            case "truncate":
                return Reflect.call(
                    Reflect.method(RebalanceImpl.class, "truncateMessageQueueNotMyTopic", 0), rebalance);
            case "removeProcessQueue":
                rebalance.removeProcessQueue(Names.read(words[1]));
                return null;
            case "lockAll":
                rebalance.lockAll();
                return null;
            case "unlockAll":
                rebalance.unlockAll(true);
                return null;
            case "destroy":
                rebalance.destroy();
                return null;
            case "fire":
                tasks.run();
                return null;
            default:
                change(words, rest);
                return null;
        }
    }

    /** Changes what the client finds, and nothing else. */
    private void change(String[] words, List<String> rest) throws Throwable {
        MessageQueue queue = words.length > 1 && words[1].contains("/") ? Names.read(words[1]) : null;
        switch (words[0]) {
            case "unsub":
                map("subscriptionInner").remove(words[1]);
                break;
            case "resub":
                subscribe(words[1]);
                break;
            case "setCids":
                ids.put(words[1], new ArrayList<>(rest.size() < 2 ? List.of() : List.of(words[2].split(","))));
                break;
            case "setLock":
            case "setOff":
            case "setPersist":
                answers.script(words[1], words[0].substring("set".length()).toLowerCase(), List.of(words[2]));
                break;
            case "expire":
                table.get(queue).setLastPullTimestamp(System.currentTimeMillis() - Entry.EXPIRED);
                break;
            case "age":
                table.get(queue).setLastLockTimestamp(System.currentTimeMillis() - Entry.LONG_AGO);
                break;
            case "free":
                ((Entry) table.get(queue)).free();
                break;
            default:
                throw new IllegalArgumentException("operation " + words[0]);
        }
    }
}
