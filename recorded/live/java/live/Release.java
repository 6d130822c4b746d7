package live;

/** Which release of RocketMQ this process has on its class path. */
final class Release {
    private Release() {
    }

    static void tell(Out out) {
        try {
            Class<?> version = Class.forName("org.apache.rocketmq.common.MQVersion");
            int number = version.getField("CURRENT_VERSION").getInt(null);
            Object name = Reflect.invoke(version.getMethod("getVersionDesc", int.class), null, number);
            out.event("release", "rocketmq", name, "java", System.getProperty("java.version"));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            out.cannot(e, "release");
        }
    }
}
