package rebalance;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The construction of an object, from words that are read from left to right; {@code construction.py} writes them.
 *
 * <pre>
 *   object = new CLASS n value*n  |  with METHOD object value      the setter is called, the object is the value
 *          |  vary FIELD 0|1 object value           a field of that name, if any, is set; with 1 there has to be one
 *   value  = object  |  null  |  text TEXT                         TEXT is converted to the parameter's type
 *          |  texts n TEXT*n  |  queues n (TOPIC BROKER ID)*n      a list or a set
 *          |  rooms n (NAME ROOM)*n                                an interface whose methods look up a room
 * </pre>
 */
final class Construction {
    private final String[] words;
    private int next;
    private Class<?>[] wanted = {};

    Construction(String[] words) {
        this.words = words;
    }

    /** The value for a parameter, which may depend on the parameter's type. */
    private interface Value {
        Object as(Class<?> wanted, Type generic) throws UnfitException, NoStrategyException;
    }

    /** A value does not fit the parameter's type. */
    private static final class UnfitException extends Exception {
        private static final long serialVersionUID = 1L;
    }

    /** The constructed object. Raises NoStrategyException where a word is wrong, or its object cannot be made. */
    Object object() throws NoStrategyException {
        try {
            return value().as(Object.class, Object.class);
        } catch (UnfitException error) {
            throw new IllegalStateException(error); // every object fits an Object
        }
    }

    /** The names of the parameter types of the object's constructor. */
    String parameters() {
        StringJoiner names = new StringJoiner(",");
        for (Class<?> type : wanted) { // those of the object itself, which was made after its parts
            names.add(type.getName());
        }
        return names.toString();
    }

    private Value value() throws NoStrategyException {
        String kind = word();
        switch (kind) {
            case "new":
                return made();
            case "with":
                return with();
            case "vary":
                return vary();
            case "null":
                return (wanted, generic) -> {
                    if (wanted.isPrimitive()) {
                        throw new UnfitException();
                    }
                    return null;
                };
            case "text":
                String text = word();
                return (wanted, generic) -> read(text, wanted);
            case "texts":
                return collection(1);
            case "queues":
                return collection(3);
            case "rooms":
                return rooms();
            default:
                throw new IllegalArgumentException(kind);
        }
    }

    private String word() {
        return words[next++];
    }

    private int number() {
        return Integer.parseInt(word());
    }

    private static Value object(Object object) {
        return (wanted, generic) -> {
            if (!wanted.isInstance(object)) {
                throw new UnfitException();
            }
            return object;
        };
    }

    private Value made() throws NoStrategyException {
        String name = word();
        Value[] values = new Value[number()];
        for (int place = 0; place < values.length; place++) {
            values[place] = value();
        }
        return object(made(Loading.load(name), values));
    }

    private Object made(Class<?> type, Value[] values) throws NoStrategyException {
        Constructor<?> best = null;
        Object[] arguments = null;
        int fewest = Integer.MAX_VALUE;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() != values.length) {
                continue;
            }
            Class<?>[] parameters = constructor.getParameterTypes();
            Type[] generic = constructor.getGenericParameterTypes();
            Object[] found = new Object[values.length];
            int texts = 0; // any value fits a String, so that constructors with numbers are preferred
            try {
                for (int place = 0; place < values.length; place++) {
                    found[place] = values[place].as(parameters[place],
                        generic.length == parameters.length ? generic[place] : parameters[place]);
                    texts += parameters[place] == String.class || parameters[place] == Object.class ? 1 : 0;
                }
            } catch (UnfitException unfit) {
                continue;
            }
            if (texts < fewest) {
                best = constructor;
                arguments = found;
                fewest = texts;
            }
        }
        if (best == null) {
            String given = values.length == 0 ? "without arguments" : values.length == 1
                ? "that accepts this argument" : "that accepts these " + values.length + " arguments";
            throw new NoStrategyException(
                type.getName() + " has no constructor " + given + "; it has " + constructors(type));
        }
        wanted = best.getParameterTypes();
        return Loading.construct(best, arguments);
    }

    private static String constructors(Class<?> type) {
        List<String> found = new ArrayList<>();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            StringJoiner types = new StringJoiner(", ", "(", ")");
            for (Class<?> wanted : constructor.getParameterTypes()) {
                types.add(wanted.getSimpleName());
            }
            found.add(type.getSimpleName() + types);
        }
        Collections.sort(found); // the JVM gives no particular order
        return String.join(", ", found);
    }

    private Value with() throws NoStrategyException {
        String name = word();
        Value object = value();
        Value value = value();
        return (wanted, generic) -> {
            Object found = object.as(wanted, generic);
            for (Method method : found.getClass().getMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 1) {
                    Loading.call(method, found,
                        value.as(method.getParameterTypes()[0], method.getGenericParameterTypes()[0]));
                    return found;
                }
            }
            throw new NoStrategyException(found.getClass().getName() + " has no " + name + " of 1 argument");
        };
    }

    private Value vary() throws NoStrategyException {
        String name = word();
        boolean required = "1".equals(word());
        Value object = value();
        Value value = value();
        return (wanted, generic) -> {
            Object found = object.as(wanted, generic);
            for (Class<?> type = found.getClass(); type != null; type = type.getSuperclass()) {
                for (Field field : type.getDeclaredFields()) {
                    if (field.getName().equals(name)) {
                        try {
                            field.setAccessible(true);
                            field.set(found, value.as(field.getType(), field.getGenericType()));
                            return found;
                        } catch (ReflectiveOperationException | RuntimeException error) {
                            throw new NoStrategyException("the field " + name + " of " + type.getName()
                                + " cannot be set: " + Thrown.said(error));
                        }
                    }
                }
            }
            if (required) {
                throw new NoStrategyException(found.getClass().getName() + " has no field " + name);
            }
            return found;
        };
    }

    private Value collection(int numbers) {
        int count = number();
        String[] found = new String[numbers * count];
        for (int place = 0; place < found.length; place++) {
            found[place] = word();
        }
        return (wanted, generic) -> {
            List<Object> list = new ArrayList<>();
            QueueType type = numbers == 1 ? null : new QueueType(element(generic));
            for (int place = 0; place < found.length; place += numbers) {
                list.add(type == null ? found[place]
                    : type.queue(found[place], found[place + 1], Integer.parseInt(found[place + 2])));
            }
            if (wanted.isAssignableFrom(ArrayList.class)) {
                return list;
            }
            if (wanted.isAssignableFrom(HashSet.class)) {
                return new HashSet<>(list);
            }
            throw new UnfitException();
        };
    }

    private static Class<?> element(Type generic) throws UnfitException {
        if (generic instanceof ParameterizedType && ((ParameterizedType) generic).getActualTypeArguments().length == 1
            && ((ParameterizedType) generic).getActualTypeArguments()[0] instanceof Class) {
            return (Class<?>) ((ParameterizedType) generic).getActualTypeArguments()[0];
        }
        throw new UnfitException();
    }

    private Value rooms() {
        Map<String, String> rooms = new HashMap<>();
        for (int count = number(); count > 0; count--) {
            String name = word();
            rooms.put(name, word());
        }
        return (wanted, generic) -> {
            if (!wanted.isInterface()) {
                throw new UnfitException();
            }
            return Proxy.newProxyInstance(wanted.getClassLoader(), new Class<?>[] {wanted}, (self, method, given) -> {
                Object asked = given[0];
                return rooms.get(asked instanceof String ? asked
                    : asked.getClass().getMethod("getBrokerName").invoke(asked));
            });
        };
    }

    /** The text, converted to the parameter's type. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static Object read(String text, Class<?> wanted) throws UnfitException {
        try {
            if (wanted.isAssignableFrom(String.class)) {
                return text;
            }
            if (wanted == int.class || wanted == Integer.class) {
                return Integer.valueOf(text);
            }
            if (wanted == long.class || wanted == Long.class) {
                return Long.valueOf(text);
            }
            if (wanted == double.class || wanted == Double.class) {
                return Double.valueOf(text);
            }
            if (wanted == float.class || wanted == Float.class) {
                return Float.valueOf(text);
            }
            if ((wanted == boolean.class || wanted == Boolean.class) && text.matches("true|false")) {
                return Boolean.valueOf(text);
            }
            if (wanted.isEnum()) {
                return Enum.valueOf((Class<Enum>) wanted, text);
            }
        } catch (IllegalArgumentException error) {
            throw new UnfitException();
        }
        throw new UnfitException();
    }
}
