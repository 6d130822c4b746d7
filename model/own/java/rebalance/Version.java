package rebalance;

/** Prints the version of the RocketMQ on the classpath, or nothing. */
public final class Version {
    private Version() {
    }

    public static void main(String[] none) {
        try {
            Class<?> version = Class.forName("org.apache.rocketmq.common.MQVersion");
            int current = version.getField("CURRENT_VERSION").getInt(null);
            System.out.println(version.getMethod("getVersionDesc", int.class).invoke(null, current));
        } catch (ReflectiveOperationException | LinkageError absent) {
            System.exit(1);
        }
    }
}
