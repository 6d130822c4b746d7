package rebalance;

import java.io.File;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/** Loads and constructs what the user names, with an error sentence for everything that can go wrong. */
final class Loading {
    private static ClassLoader loader = Loading.class.getClassLoader();

    private Loading() {
    }

    /** Loads the user's classes again from now on, with new static fields, as a new process would. */
    static void renew() throws MalformedURLException {
        String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int place = 0; place < entries.length; place++) {
            urls[place] = new File(entries[place]).toURI().toURL();
        }
        loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
    }

    static Class<?> load(String name) throws NoStrategyException {
        Class<?> type;
        try {
            type = Class.forName(name, true, loader);
        } catch (ClassNotFoundException error) {
            throw new NoStrategyException("there is no class " + name + " on the classpath");
        } catch (Throwable error) {
            throw new NoStrategyException(unloaded(name, error));
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            throw new NoStrategyException(name + " is abstract: name a class that can be constructed");
        }
        return type;
    }

    static Object construct(Constructor<?> constructor, Object[] arguments) throws NoStrategyException {
        String name = constructor.getDeclaringClass().getName();
        try {
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof LinkageError) {
                throw new NoStrategyException(unloaded(name, error.getCause()));
            }
            throw new NoStrategyException("the constructor of " + name + " throws " + Thrown.said(error.getCause()));
        } catch (Throwable error) {
            throw new NoStrategyException(unloaded(name, error));
        }
    }

    static void call(Method method, Object object, Object argument) throws NoStrategyException {
        try {
            method.invoke(object, argument);
        } catch (InvocationTargetException error) {
            throw new NoStrategyException(method.getName() + " of " + object.getClass().getName() + " throws "
                + Thrown.said(error.getCause()));
        } catch (ReflectiveOperationException error) {
            throw new NoStrategyException(unloaded(object.getClass().getName(), error));
        }
    }

    /** A sentence why an existing class cannot be loaded. */
    static String unloaded(String name, Throwable error) {
        if (error instanceof ExceptionInInitializerError && error.getCause() != null) {
            return "the static initialiser of " + name + " throws " + Thrown.said(error.getCause());
        }
        if (error instanceof UnsupportedClassVersionError) {
            return name + " was compiled for a newer Java than the one that runs here, "
                + System.getProperty("java.version");
        }
        if (error instanceof NoClassDefFoundError && error.getMessage() != null) {
            return error.getMessage().contains("wrong name")
                ? "there is no class " + name + " on the classpath, but one that differs in upper and lower case"
                : name + " needs " + error.getMessage().replace('/', '.') + ", which is not on the classpath";
        }
        return name + " cannot be loaded: " + Thrown.said(error);
    }
}
