package step;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.rocketmq.client.consumer.store.OffsetStore;
import org.apache.rocketmq.client.consumer.store.ReadOffsetType;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

/** An offset store that is observed: a scripted one, or one of the client's own. */
final class Store implements InvocationHandler {
    private final Answers answers;
    private final Effects effects;
    private final Object own;
    private final OffsetFile file;

    private Store(Answers answers, Effects effects, Object own, OffsetFile file) {
        this.answers = answers;
        this.effects = effects;
        this.own = own;
        this.file = file;
    }

    static Object remote(MQClientInstance instance, String group) {
        return Reflect.create("client.consumer.store.RemoteBrokerOffsetStore", instance, group);
    }

    static Object local(MQClientInstance instance, String group) {
        return Reflect.create("client.consumer.store.LocalFileOffsetStore", instance, group);
    }

    /** {@code own}: the store that does the work; null for a scripted one. {@code file}: of a local store. */
    static OffsetStore observed(Answers answers, Effects effects, Object own, OffsetFile file) {
        Class<?>[] types = {OffsetStore.class};
        Store store = new Store(answers, effects, own, file);
        return (OffsetStore) Proxy.newProxyInstance(Store.class.getClassLoader(), types, store);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "persist":
                return persist(method, (MessageQueue) arguments[0]);
            case "removeOffset":
                effects.add("rmOff", (MessageQueue) arguments[0]);
                return own == null ? null : method.invoke(own, arguments);
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
                return own == null ? null : method.invoke(own, arguments);
        }
    }

    private Object persist(Method method, MessageQueue queue) throws Throwable {
        if (own != null) {
            effects.add("persist", queue);
            return file == null ? method.invoke(own, queue)
                : file.observe(() -> method.invoke(own, queue), () -> effects.add("writeOffset", queue));
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
        if (own != null) {
            Object offset;
            try {
                offset = method.invoke(own, queue, where);
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
