package step;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.common.message.MessageQueue;

/** The broker that answers a client's requests, at the place of the client's {@code RemotingClient}. */
final class Broker implements InvocationHandler {
    private static final int QUERY_OFFSET = 14;
    private static final int UPDATE_OFFSET = 15;
    private static final int SEARCH_OFFSET = 29;
    private static final int MAX_OFFSET = 30;
    private static final int LOCK = 41;
    private static final int UNLOCK = 42;
    private static final int QUERY_ASSIGNMENT = 400;
    private static final int SUCCESS = 0;
    private static final int SYSTEM_ERROR = 1;
    private static final int QUERY_NOT_FOUND = 22;

    private final Answers answers;
    private final Effects effects;
    private final Map<String, String> assignments;
    private final Admin admin;

    Broker(Answers answers, Effects effects, Map<String, String> assignments, Admin admin) {
        this.answers = answers;
        this.effects = effects;
        this.assignments = assignments;
        this.admin = admin;
    }

    Object remoting() {
        Class<?>[] types = {Reflect.type("remoting.RemotingClient")};
        return Proxy.newProxyInstance(Broker.class.getClassLoader(), types, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "invokeSync":
            case "invokeOneway":
                boolean oneway = method.getName().equals("invokeOneway");
                return answer((String) arguments[0], arguments[1], (Long) arguments[2], oneway);
            default:
                return method.getReturnType() == boolean.class ? Boolean.FALSE : null;
        }
    }

    private Object answer(String address, Object request, long timeout, boolean oneway) throws Throwable {
        int code = (Integer) get(request, "getCode");
        switch (code) {
            case LOCK:
                return lock(request);
            case UNLOCK:
                return unlock(request, oneway);
            case QUERY_OFFSET:
                return query(queue(address, request));
            case UPDATE_OFFSET:
                return update(queue(address, request), request);
            case MAX_OFFSET:
            case SEARCH_OFFSET:
                String said = admin.said(queue(address, request));
                return said.equals("err") ? response(SYSTEM_ERROR, null) : offset(Long.parseLong(said));
            case QUERY_ASSIGNMENT:
                return assignment(request, timeout);
            default:
                effects.add("request " + code);
                throw timeout();
        }
    }

    private Object lock(Object request) throws Throwable {
        Set<MessageQueue> queues = queues(request, "LockBatchRequestBody");
        Set<MessageQueue> granted = new HashSet<>();
        boolean fails = false;
        for (MessageQueue queue : queues) {
            String said = answers.ask(queue, "lock");
            fails |= said.equals("exc");
            if (said.equals("ok") || said.equals("unlockexc")) {
                granted.add(queue);
            }
        }
        if (queues.size() == 1) {
            effects.add("lockRPC=" + (fails ? "exc" : granted.isEmpty() ? "denied" : "ok"), queues.iterator().next());
        } else {
            effects.add("lockRPC" + Names.set(queues) + "=" + (fails ? "exc" : ">" + Names.set(granted)));
        }
        if (fails) {
            throw timeout();
        }
        Object body = Reflect.create(body("LockBatchResponseBody"));
        Reflect.call(Reflect.method(body.getClass(), "setLockOKMQSet", 1), body, granted);
        return response(SUCCESS, (byte[]) get(body, "encode"));
    }

    private Object unlock(Object request, boolean oneway) throws Throwable {
        Set<MessageQueue> queues = queues(request, "UnlockBatchRequestBody");
        boolean fails = false;
        for (MessageQueue queue : queues) {
            fails |= answers.ask(queue, "lock").equals("unlockexc");
        }
        String said = (oneway ? "(oneway)" : "") + (fails ? "=exc" : "");
        if (queues.size() == 1) {
            effects.add("unlockRPC" + said, queues.iterator().next());
        } else {
            effects.add("unlockRPC" + Names.set(queues) + said);
        }
        if (fails) {
            throw timeout();
        }
        return response(SUCCESS, null);
    }

    private Object query(MessageQueue queue) throws Throwable {
        String said = answers.ask(queue, "query");
        effects.add("queryOffsetRPC=" + said, queue);
        switch (said) {
            case "notfound":
                return response(QUERY_NOT_FOUND, null);
            case "brokerexc":
                return response(SYSTEM_ERROR, null);
            case "timeout":
                throw timeout();
            case "interrupted":
                throw new InterruptedException();
            case "rt":
                throw new IllegalStateException("scripted query");
            default:
                return offset(Long.parseLong(said));
        }
    }

    private Object update(MessageQueue queue, Object request) throws Throwable {
        boolean fails = !answers.ask(queue, "update").equals("ok");
        effects.add("updateOffsetRPC(" + header(request).get("commitOffset") + ")" + (fails ? "=exc" : ""), queue);
        if (fails) {
            throw timeout();
        }
        return response(SUCCESS, null);
    }

    private Object assignment(Object request, long timeout) throws Throwable {
        String body = new String((byte[]) get(request, "getBody"), StandardCharsets.UTF_8);
        String topic = body.replaceFirst("(?s).*\"topic\"\\s*:\\s*\"([^\"]*)\".*", "$1");
        String said = assignments.getOrDefault(topic, "empty");
        String[] words = said.split(" ");
        boolean list = words[0].equals("PULL") || words[0].equals("POP");
        effects.add("queryAssignment(" + topic + "," + timeout + ")" + (list || said.equals("empty") ? "" : "=" + said));
        switch (words[0]) {
            case "timeout":
                throw timeout();
            case "brokerexc":
                return response(SYSTEM_ERROR, null);
            case "null":
                return response(SUCCESS, "{}".getBytes(StandardCharsets.UTF_8));
            default:
        }
        StringBuilder found = new StringBuilder();
        for (String name : list ? List.of(words).subList(1, words.length) : List.<String>of()) {
            String[] parts = (name.contains("/") ? name : topic + "/b0/" + name).split("/");
            found.append(found.length() == 0 ? "" : ",").append("{\"messageQueue\":{\"topic\":\"").append(parts[0])
                .append("\",\"brokerName\":\"").append(parts[1]).append("\",\"queueId\":").append(parts[2])
                .append("},\"mode\":\"").append(words[0]).append("\"}");
        }
        return response(SUCCESS, ("{\"messageQueueAssignments\":[" + found + "]}").getBytes(StandardCharsets.UTF_8));
    }

    private static Object offset(long offset) throws Throwable {
        Object response = response(SUCCESS, null);
        Reflect.call(Reflect.method(response.getClass(), "addExtField", 2), response, "offset", Long.toString(offset));
        return response;
    }

    private static Object response(int code, byte[] body) throws Throwable {
        Class<?> type = Reflect.type("remoting.protocol.RemotingCommand");
        Object response = Reflect.call(Reflect.method(type, "createResponseCommand", 2), null, code, "scripted");
        Reflect.call(Reflect.method(type, "setBody", 1), response, (Object) body);
        return response;
    }

    private static Exception timeout() {
        return (Exception) Reflect.create("remoting.exception.RemotingTimeoutException", "scripted");
    }

    private static Object get(Object object, String getter) throws Throwable {
        return Reflect.call(Reflect.method(object.getClass(), getter, 0), object);
    }

    private static Class<?> body(String name) {
        return Reflect.type("remoting.protocol.body." + name, "common.protocol.body." + name);
    }

    @SuppressWarnings("unchecked")
    private static Set<MessageQueue> queues(Object request, String type) throws Throwable {
        Class<?> serializable = Reflect.type("remoting.protocol.RemotingSerializable");
        Object body = Reflect.call(
            serializable.getMethod("decode", byte[].class, Class.class), null, get(request, "getBody"), body(type));
        return new HashSet<>((Collection<MessageQueue>) get(body, "getMqSet"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> header(Object request) throws Throwable {
        get(request, "makeCustomHeaderToNet");
        return (Map<String, String>) get(request, "getExtFields");
    }

    /** The queue that the request is about; its broker is known by the address. */
    private static MessageQueue queue(String address, Object request) throws Throwable {
        Map<String, String> header = header(request);
        return new MessageQueue(
            header.get("topic"), Instance.brokerAt(address), Integer.parseInt(header.get("queueId")));
    }
}
