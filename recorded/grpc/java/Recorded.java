package org.apache.rocketmq.client.java.impl.consumer;

import apache.rocketmq.v2.ReceiveMessageRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.consumer.ConsumeResult;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.MessageListener;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.route.MessageQueueImpl;
import org.apache.rocketmq.shaded.com.google.common.util.concurrent.FutureCallback;
import org.apache.rocketmq.shaded.com.google.common.util.concurrent.Futures;
import org.apache.rocketmq.shaded.com.google.common.util.concurrent.ListenableFuture;
import org.apache.rocketmq.shaded.com.google.common.util.concurrent.MoreExecutors;

/**
 * A push consumer of rocketmq-client-java that records its assignments, process queues and receive requests.
 *
 * <p>Usage: FILE NAME ENDPOINTS GROUP TOPICS MS, where TOPICS are separated by commas. It shuts down after a line.
 */
final class Recorded extends PushConsumerImpl {
    private final Out out;
    private final Map<ProcessQueue, Integer> numbers = Collections.synchronizedMap(new IdentityHashMap<>());

    Recorded(ClientConfiguration configuration, String group, Map<String, FilterExpression> topics,
            MessageListener listener, Out out) {
        super(configuration, group, topics, listener, 1024, 64 << 20, 4, false);
        this.out = out;
    }

    public static void main(String[] words) throws Exception {
        Out out = new Out(words[0], words[1]);
        Map<String, FilterExpression> topics = new HashMap<>();
        for (String topic : words[4].split(",")) {
            topics.put(topic, FilterExpression.SUB_ALL);
        }
        long ms = Long.parseLong(words[5]);
        Recorded consumer = new Recorded(
                ClientConfiguration.newBuilder().setEndpoints(words[2]).enableSsl(false).build(),
                words[3], topics, message -> consume(out, message, ms), out);
        consumer.startAsync().awaitRunning();
        out.event("started", "");
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        out.event("shutdown", "");
        consumer.close();
        out.event("shutdown-end", "");
        System.exit(0);
    }

    private static ConsumeResult consume(Out out, MessageView message, long ms) {
        for (String key : message.getKeys()) {
            out.event("message", ",\"key\":\"" + key + "\",\"attempt\":" + message.getDeliveryAttempt());
        }
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (String key : message.getKeys()) {
            out.event("done", ",\"key\":\"" + key + "\"");
        }
        return ConsumeResult.SUCCESS;
    }

    @Override
    ListenableFuture<Assignments> queryAssignment(String topic) {
        ListenableFuture<Assignments> future = super.queryAssignment(topic);
        on(future, found -> {
            if (found.getAssignmentList().isEmpty()) { // the client may ignore it
                answered(topic, found);
            }
        }, error -> out.event("failed", ",\"topic\":\"" + topic + "\""));
        return future;
    }

    private void answered(String topic, Assignments found) {
        out.event("answer", ",\"topic\":\"" + topic + "\",\"queues\":" + found.getAssignmentList().stream()
                .map(each -> queue(each.getMessageQueue())).sorted().collect(Collectors.toList()));
    }

    /** The step of one topic; those of other topics wait, so that the events of a step stay together. */
    @Override
    synchronized void syncProcessQueue(String topic, Assignments assignments, FilterExpression expression) {
        if (!assignments.getAssignmentList().isEmpty()) {
            answered(topic, assignments);
        }
        super.syncProcessQueue(topic, assignments, expression);
        String table = table().entrySet().stream().map(e -> queue(e.getKey()) + ":" + numbers.get(e.getValue()))
                .sorted().collect(Collectors.joining(",", "{", "}"));
        out.event("table", ",\"topic\":\"" + topic + "\",\"table\":" + table);
    }

    @Override
    protected Optional<ProcessQueue> createProcessQueue(MessageQueueImpl mq, FilterExpression expression) {
        return super.createProcessQueue(mq, expression).map(this::created);
    }

    /** The new process queue; it records the beginning of its receive loop. */
    private ProcessQueue created(ProcessQueue made) {
        int number = numbers.size() + 1;
        numbers.put(made, number);
        out.event("create", ",\"p\":" + number + ",\"q\":" + queue(made.getMessageQueue()));
        return (ProcessQueue) Proxy.newProxyInstance(Recorded.class.getClassLoader(), new Class<?>[] {ProcessQueue.class},
                (self, method, given) -> {
                    if (method.getName().equals("fetchMessageImmediately")) {
                        out.event("begin", ",\"p\":" + number);
                    }
                    try {
                        return method.invoke(made, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    void dropProcessQueue(MessageQueueImpl mq) {
        ProcessQueue dropped = table().get(mq);
        super.dropProcessQueue(mq);
        if (dropped != null) {
            out.event("drop", ",\"p\":" + numbers.get(dropped));
        }
    }

    @Override
    protected ListenableFuture<ReceiveMessageResult> receiveMessage(ReceiveMessageRequest request, MessageQueueImpl mq,
            Duration timeout) {
        Integer number = numbers.get(table().get(mq));
        out.event("receive", ",\"p\":" + number);
        ListenableFuture<ReceiveMessageResult> future = super.receiveMessage(request, mq, timeout);
        on(future, found -> out.event("received", ",\"p\":" + number + ",\"keys\":" + found.getMessageViewImpls().stream()
                .flatMap(message -> new TreeSet<>(message.getKeys()).stream()).map(key -> "\"" + key + "\"")
                .collect(Collectors.toList())),
            error -> out.event("received", ",\"p\":" + number + ",\"keys\":[],\"error\":\""
                    + error.getClass().getSimpleName() + "\""));
        return future;
    }

    @SuppressWarnings("unchecked")
    private Map<MessageQueueImpl, ProcessQueue> table() {
        try {
            Field field = PushConsumerImpl.class.getDeclaredField("processQueueTable");
            field.setAccessible(true);
            return (Map<MessageQueueImpl, ProcessQueue>) field.get(this);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this rocketmq-client-java has no processQueueTable", e);
        }
    }

    private static String queue(MessageQueueImpl mq) {
        return "\"" + mq.getTopic() + ":" + mq.getBroker().getName() + ":" + mq.getQueueId() + "\"";
    }

    private static <T> void on(ListenableFuture<T> future, java.util.function.Consumer<T> success,
            java.util.function.Consumer<Throwable> failure) {
        Futures.addCallback(future, new FutureCallback<T>() {
            @Override
            public void onSuccess(T found) {
                success.accept(found);
            }

            @Override
            public void onFailure(Throwable error) {
                failure.accept(error);
            }
        }, MoreExecutors.directExecutor());
    }
}
