package rebalance;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** The class of a strategy's queues, RocketMQ's MessageQueue or one with such a constructor and getters. */
final class QueueType {
    private static final String LIKE = "MessageQueue(String topic, String brokerName, int queueId)";

    private final Class<?> type;
    private final MethodHandle constructor;
    private final MethodHandle topic;
    private final MethodHandle brokerName;
    private final MethodHandle queueId;

    QueueType(Class<?> type) throws NoStrategyException {
        this.type = type;
        try {
            Constructor<?> found = type.getDeclaredConstructor(String.class, String.class, int.class);
            found.setAccessible(true);
            constructor = MethodHandles.lookup().unreflectConstructor(found)
                .asType(MethodType.methodType(Object.class, String.class, String.class, int.class));
            topic = getter("getTopic", String.class);
            brokerName = getter("getBrokerName", String.class);
            queueId = getter("getQueueId", int.class);
            Object queue = queue("T", "broker-a", 1);
            if (!"T".equals(topic(queue)) || !"broker-a".equals(brokerName(queue)) || queueId(queue) != 1) {
                throw new NoStrategyException("its allocate uses queues of " + type.getName()
                    + ", whose getTopic, getBrokerName or getQueueId do not return the arguments of " + LIKE);
            }
        } catch (ReflectiveOperationException error) {
            throw new NoStrategyException("its allocate uses queues of " + type.getName() + ", which lacks a constructor like "
                + LIKE + ", or getTopic, getBrokerName or getQueueId");
        } catch (NoStrategyException error) {
            throw error;
        } catch (Throwable error) {
            throw new NoStrategyException("its allocate uses queues of " + type.getName()
                + ", which cannot be constructed: " + Thrown.said(error));
        }
    }

    private MethodHandle getter(String name, Class<?> result) throws ReflectiveOperationException {
        Method method = type.getMethod(name);
        method.setAccessible(true);
        if (method.getReturnType() != result) {
            throw new NoSuchMethodException(name);
        }
        return MethodHandles.lookup().unreflect(method).asType(MethodType.methodType(result, Object.class));
    }

    Object queue(String topic, String brokerName, int queueId) {
        try {
            return constructor.invokeExact(topic, brokerName, queueId);
        } catch (Throwable error) {
            throw new IllegalStateException(error);
        }
    }

    boolean has(Object thing) {
        return type.isInstance(thing);
    }

    String topic(Object queue) throws Throwable {
        return (String) topic.invokeExact(queue);
    }

    String brokerName(Object queue) throws Throwable {
        return (String) brokerName.invokeExact(queue);
    }

    int queueId(Object queue) throws Throwable {
        return (int) queueId.invokeExact(queue);
    }

    String name() {
        return type.getName();
    }
}
