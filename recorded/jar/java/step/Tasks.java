package step;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The client's delayed tasks, which run when a case says so. */
final class Tasks implements InvocationHandler {
    final List<Runnable> waiting = new ArrayList<>();
    private final Effects effects;

    Tasks(Effects effects) {
        this.effects = effects;
    }

    ScheduledExecutorService service() {
        Class<?>[] types = {ScheduledExecutorService.class};
        return (ScheduledExecutorService) Proxy.newProxyInstance(Tasks.class.getClassLoader(), types, this);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        if (!method.getName().equals("schedule") || !(arguments[0] instanceof Runnable)) {
            throw new UnsupportedOperationException("a rebalance calls " + method);
        }
        effects.add("schedule(unlock," + ((TimeUnit) arguments[2]).toMillis((Long) arguments[1]) + ")");
        waiting.add((Runnable) arguments[0]);
        return null;
    }

    void run() {
        List<Runnable> now = List.copyOf(waiting);
        waiting.clear();
        now.forEach(Runnable::run);
    }
}
