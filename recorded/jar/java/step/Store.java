package step;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.client.consumer.store.ReadOffsetType;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

/** An offset store that is observed: a scripted one, or the client's own {@code RemoteBrokerOffsetStore}. */
final class Store implements InvocationHandler {
    private final Answers answers;
    private final Effects effects;
    private final Object remote;

    private Store(Answers answers, Effects effects, Object remote) {
        this.answers = answers;
        this.effects = effects;
        this.remote = remote;
    }

    static Object remote(MQClientInstance instance, String group) {
        return Reflect.create("client.consumer.store.RemoteBrokerOffsetStore", instance, group);
    }

    /** {@code remote}: the store that does the work; null for a scripted one. */
    static OffsetStore observed(Answers answers, Effects effects, Object remote) {
        Class<?>[] types = {OffsetStore.class};
        Store store = new Store(answers, effects, remote);
        return (OffsetStore) Proxy.newProxyInstance(Store.class.getClassLoader(), types, store);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "persist":
                return persist(method, (MessageQueue) arguments[0]);
            case "removeOffset":
                effects.add("rmOff", (MessageQueue) arguments[0]);
                return remote == null ? null : method.invoke(remote, arguments);
            case "readOffset":
                return read(method, (MessageQueue) arguments[0], arguments[1]);
            case "hashCode":
                return System.identityHashCode(proxy);
            case "equals":
                return proxy == arguments[0];
            case "toString":
                return "observed store";
            default:
                effects.add("store." + method.getName());
                return remote == null ? null : method.invoke(remote, arguments);
        }
    }

    private Object persist(Method method, MessageQueue queue) throws Throwable {
        if (remote != null) {
            effects.add("persist", queue);
            return method.invoke(remote, queue);
        }
        if (answers.persistFails(queue)) {
            effects.add("persist=throw", queue);
            throw new IllegalStateException("scripted persist");
        }
        effects.add("persist", queue);
        return null;
    }

    private Object read(Method method, MessageQueue queue, Object where) throws Throwable {
        String effect = "readOff[" + short_((ReadOffsetType) where) + "]=";
        if (remote != null) {
            Object offset;
            try {
                offset = method.invoke(remote, queue, where);
            } catch (InvocationTargetException e) {
                effects.add(effect + "throw", queue);
                throw e.getCause();
            }
            effects.add(effect + offset, queue);
            return offset;
        }
        String said = answers.ask(queue, "off");
        if (said.equals("throw")) {
            effects.add(effect + said, queue);
            throw new IllegalStateException("scripted readOffset");
        }
        long offset = said.startsWith("nf") ? -1 : Long.parseLong(said);
        effects.add(effect + offset, queue);
        return offset;
    }

    private static String short_(ReadOffsetType where) {
        switch (where) {
            case READ_FROM_MEMORY:
                return "M";
            case READ_FROM_STORE:
                return "S";
            default:
                return "MS";
        }
    }
}
