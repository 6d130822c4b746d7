package rebalance;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A strategy's method allocate, and the class of its queues. */
final class Signature {
    private static final String NAME = "allocate";
    private static final String LIKE =
        "allocate(String consumerGroup, String currentCID, List<MessageQueue> mqAll, List<String> cidAll)";
    /** MessageQueue of 4.x and 5.x, and of 3.x, for a strategy with lists of unknown element type. */
    private static final String[] ROCKETMQ = {
        "org.apache.rocketmq.common.message.MessageQueue", "com.alibaba.rocketmq.common.message.MessageQueue",
    };

    private final Method allocate;
    private final Class<?> queue;

    private Signature(Method allocate, Class<?> queue) {
        this.allocate = allocate;
        this.queue = queue;
    }

    Method allocate() {
        return allocate;
    }

    Class<?> queue() {
        return queue;
    }

    static Signature of(Class<?> strategy) throws NoStrategyException {
        List<Method> found = new ArrayList<>();
        try {
            for (Class<?> type : types(strategy)) {
                for (Method method : type.getDeclaredMethods()) {
                    if (fits(method)) {
                        found.add(method);
                    }
                }
            }
        } catch (Throwable error) { // a class of a signature is missing
            throw new NoStrategyException(Loading.unloaded(strategy.getName(), error));
        }
        Method allocate = null;
        for (Method method : found) {
            if (allocate == null && !Modifier.isAbstract(method.getModifiers())) {
                allocate = method;
            }
        }
        if (allocate == null) {
            throw new NoStrategyException(strategy.getName() + " has no " + LIKE);
        }
        return new Signature(allocate, queue(strategy, found));
    }

    private static boolean fits(Method method) {
        Class<?>[] wanted = method.getParameterTypes();
        return method.getName().equals(NAME) && !Modifier.isStatic(method.getModifiers()) && wanted.length == 4
            && !method.isBridge() && wanted[0] == String.class && wanted[1] == String.class
            && wanted[2].isAssignableFrom(ArrayList.class) && wanted[3].isAssignableFrom(ArrayList.class);
    }

    private static Class<?> queue(Class<?> strategy, List<Method> declared) throws NoStrategyException {
        for (Method method : declared) {
            for (Type list : new Type[] {method.getGenericParameterTypes()[2], method.getGenericReturnType()}) {
                Class<?> found = element(list);
                if (found != null) {
                    return found;
                }
            }
        }
        for (String name : ROCKETMQ) {
            try {
                return Class.forName(name, true, strategy.getClassLoader());
            } catch (ClassNotFoundException | LinkageError error) {
                continue;
            }
        }
        throw new NoStrategyException("the allocate of " + strategy.getName() + " does not declare the class of its"
            + " queues: declare " + LIKE);
    }

    private static Class<?> element(Type list) {
        if (!(list instanceof ParameterizedType) || ((ParameterizedType) list).getActualTypeArguments().length != 1) {
            return null;
        }
        Type found = ((ParameterizedType) list).getActualTypeArguments()[0];
        if (found instanceof WildcardType) {
            found = ((WildcardType) found).getUpperBounds()[0];
        }
        return found instanceof Class && found != Object.class ? (Class<?>) found : null;
    }

    /** The class itself, its superclasses, and all interfaces. */
    private static Set<Class<?>> types(Class<?> strategy) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (Class<?> type = strategy; type != null; type = type.getSuperclass()) {
            found.add(type);
        }
        for (Class<?> type : new ArrayList<>(found)) {
            interfaces(type, found);
        }
        return found;
    }

    private static void interfaces(Class<?> type, Set<Class<?>> found) {
        for (Class<?> above : type.getInterfaces()) {
            found.add(above);
            interfaces(above, found);
        }
    }
}
