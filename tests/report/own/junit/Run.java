import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Runs the tests of a class, and says a line of each. */
public class Run {
    public static void main(String[] names) throws Exception {
        Constructor<?> made = Class.forName(names[0]).getDeclaredConstructor();
        made.setAccessible(true);
        for (Method test : made.getDeclaringClass().getDeclaredMethods()) {
            if (test.isAnnotationPresent(Test.class)) {
                test.setAccessible(true);
                try {
                    test.invoke(made.newInstance());
                    System.out.println(test.getName() + " ok");
                } catch (InvocationTargetException error) {
                    System.out.println(test.getName() + " " + error.getCause().getClass().getSimpleName());
                }
            }
        }
    }
}
