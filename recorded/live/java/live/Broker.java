package live;

import java.lang.reflect.Method;
import org.apache.rocketmq.remoting.RPCHook;

/**
 * RocketMQ's broker, started by its own BrokerStartup, with a hook for requests and a look at its tables every 50 ms.
 * Options: out, who, conf (its properties), advertise (the port that it tells the name server: of what stands in front
 * of it).
 */
public final class Broker {
    private Broker() {
    }

    public static void main(String[] words) throws Exception {
        Options options = new Options(words);
        Out out = new Out(options.get("out"), options.get("who"));
        out.event("broker-starting");
        Release.tell(out);
        Class<?> startup = Class.forName("org.apache.rocketmq.broker.BrokerStartup");
        Method create = startup.getMethod("createBrokerController", String[].class);
        Object controller = Reflect.invoke(create, null, (Object) new String[] {"-c", options.get("conf")});
        try {
            Method hooks = controller.getClass().getMethod("registerServerRPCHook", RPCHook.class);
            Reflect.invoke(hooks, controller, new Heard(out));
        } catch (ReflectiveOperationException | RuntimeException e) {
            out.cannot(e, "heard", "answered");
        }
        if (options.has("advertise")) {
            advertise(controller, options.get("advertise"));
        }
        Reflect.invoke(startup.getMethod("start", controller.getClass()), null, controller);
        out.event("broker-started");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> out.event("broker-shutdown-hook")));
        new Tables(out, controller).watch();
    }

    /** The server holds its settings by now: those that the registration reads are replaced by a copy. */
    private static void advertise(Object controller, String port) throws ReflectiveOperationException {
        Object copy = Reflect.call(Reflect.read(controller, "nettyServerConfig"), "clone");
        Reflect.set(copy, "listenPort", port);
        Reflect.write(controller, "nettyServerConfig", copy);
    }
}
