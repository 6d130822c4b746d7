package live;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** What differs from release to release is found by its name alone. */
final class Reflect {
    private Reflect() {
    }

    /** The class of the first of these names that there is. */
    static Class<?> type(String... names) throws ClassNotFoundException {
        for (int i = 0; i < names.length - 1; i++) {
            try {
                return Class.forName(names[i]);
            } catch (ClassNotFoundException e) {
                continue;
            }
        }
        return Class.forName(names[names.length - 1]);
    }

    /** A field of that name, of the class or of one that it extends. */
    static Field field(Class<?> type, String name) throws NoSuchFieldException {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(type.getName() + "." + name);
    }

    static Object read(Object object, String field) throws ReflectiveOperationException {
        return field(object.getClass(), field).get(object);
    }

    static void write(Object object, String field, Object value) throws ReflectiveOperationException {
        field(object.getClass(), field).set(object, value);
    }

    /** What a public method without parameters returns. */
    static Object call(Object object, String method) throws ReflectiveOperationException {
        return invoke(object.getClass().getMethod(method), object);
    }

    /** What the method returns; an exception that it throws comes as itself where nothing forbids that. */
    static Object invoke(Method method, Object object, Object... arguments) throws ReflectiveOperationException {
        method.setAccessible(true);
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException) {
                throw (RuntimeException) e.getCause();
            }
            throw e;
        }
    }

    /** Calls a public setter with one parameter, which is a number, a truth value or a text. */
    static void set(Object object, String property, String value) throws ReflectiveOperationException {
        String name = "set" + Character.toUpperCase(property.charAt(0)) + property.substring(1);
        for (Method method : object.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == 1) {
                Class<?> type = method.getParameterTypes()[0];
                if (type == int.class) {
                    invoke(method, object, Integer.parseInt(value));
                } else if (type == long.class) {
                    invoke(method, object, Long.parseLong(value));
                } else if (type == boolean.class) {
                    invoke(method, object, Boolean.parseBoolean(value));
                } else if (type == String.class) {
                    invoke(method, object, value);
                } else {
                    continue;
                }
                return;
            }
        }
        throw new NoSuchMethodException("no setter " + name + " in " + object.getClass().getName());
    }
}
