package step;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Members that differ among releases, found by name. */
final class Reflect {
    private static final String RELEASED = "org.apache.rocketmq.";

    private Reflect() {
    }

    /** The first existing class of RocketMQ under these names. */
    static Class<?> type(String... names) {
        for (String name : names) {
            try {
                return Class.forName(RELEASED + name);
            } catch (ClassNotFoundException e) {
                continue;
            }
        }
        throw new Unknown("no class " + RELEASED + names[names.length - 1]);
    }

    /** The name of RocketMQ's class, of which this package may have a subclass. */
    private static String released(Class<?> type) {
        Class<?> at = type;
        while (at.getPackage() == Reflect.class.getPackage()) {
            at = at.getSuperclass();
        }
        return at.getName();
    }

    static boolean has(Class<?> type, String field) {
        try {
            field(type, field);
            return true;
        } catch (Unknown e) {
            return false;
        }
    }

    static Field field(Class<?> type, String name) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new Unknown("no field " + released(type) + "." + name);
    }

    static Object read(Object object, String name) {
        try {
            return field(object.getClass(), name).get(object);
        } catch (IllegalAccessException e) {
            throw new Unknown("no access to the field " + name);
        }
    }

    static void write(Object object, String name, Object value) {
        Field field = field(object.getClass(), name);
        try {
            field.set(object, value);
        } catch (IllegalAccessException | IllegalArgumentException e) {
            throw new Unknown("another type of the field " + field.getDeclaringClass().getName() + "." + name);
        }
    }

    /** Writes the constant of an enum, also one that the setter refuses. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static void writeEnum(Object object, String name, String constant) {
        write(object, name, Enum.valueOf((Class) field(object.getClass(), name).getType(), constant));
    }

    /** The method with this name and number of parameters, of the class or of one that it extends. */
    static Method method(Class<?> type, String name, int parameters) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == parameters && !method.isBridge()) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        throw new Unknown("no method " + name + " with " + parameters + " parameters in " + released(type));
    }

    /** The method's result; an exception that it throws is thrown as itself. */
    static Object call(Method method, Object object, Object... arguments) throws Throwable {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } catch (IllegalAccessException | IllegalArgumentException e) {
            throw new Unknown("other parameters of the method " + method.getDeclaringClass().getName() + "."
                + method.getName());
        }
    }

    static Object create(String type, Object... arguments) {
        return create(type(type), arguments);
    }

    static Object create(Class<?> type, Object... arguments) {
        for (var constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == arguments.length) {
                try {
                    constructor.setAccessible(true);
                    return constructor.newInstance(arguments);
                } catch (InvocationTargetException e) {
                    throw new IllegalStateException(e.getCause());
                } catch (ReflectiveOperationException | IllegalArgumentException e) {
                    continue;
                }
            }
        }
        throw new Unknown("no constructor of " + type.getName() + " with " + arguments.length + " such parameters");
    }

    /** The constant of an enum that the setter {@code name} accepts. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static void setEnum(Object object, String name, String constant) throws Throwable {
        Method setter = method(object.getClass(), name, 1);
        call(setter, object, Enum.valueOf((Class) setter.getParameterTypes()[0], constant));
    }

    /** A member of RocketMQ that this program needs and the release does not have. */
    static final class Unknown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Unknown(String what) {
            super(what);
        }
    }
}
