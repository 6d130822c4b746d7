import io.netty.channel.embedded.EmbeddedChannel;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.broker.client.ClientChannelInfo;
import org.apache.rocketmq.broker.client.ConsumerGroupInfo;
import org.apache.rocketmq.broker.processor.QueryAssignmentProcessor;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.LanguageCode;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * Answers of a released broker's {@code QueryAssignmentProcessor}, without a network: a case is one
 * line on standard input, and its answers are one line on standard output.
 */
public final class Assignments {
    private static final int QUERY_ASSIGNMENT = 400;
    private static final int SET_MESSAGE_REQUEST_MODE = 401;
    private static final String GROUP = "G";

    private final BrokerController broker;
    private final QueryAssignmentProcessor processor;

    private Assignments(String home) throws Exception {
        BrokerConfig config = new BrokerConfig();
        config.setBrokerName("a");
        config.setRocketmqHome(home);
        MessageStoreConfig store = new MessageStoreConfig();
        store.setStorePathRootDir(home);
        broker = new BrokerController(config, new NettyServerConfig(), new NettyClientConfig(), store);
        processor = new QueryAssignmentProcessor(broker);
        known(part(broker, "subscriptionGroupManager"));
    }

    /** Sets what the broker knows, and its settings; nothing is left of an earlier case. */
    private void prepare(String[] cell) throws Exception {
        BrokerConfig config = broker.getBrokerConfig();
        config.setServerLoadBalancerEnable(cell[3].equals("1"));
        config.setDefaultMessageRequestMode(cell[7].split(":")[0]);
        config.setDefaultPopShareQueueNum(Integer.parseInt(cell[7].split(":")[1]));
        processor.getMessageRequestModeManager().setMessageRequestModeMap(new ConcurrentHashMap<>());
        Map<String, Set<MessageQueue>> routes = of(part(broker, "topicRouteInfoManager"), "topicSubscribeInfoTable");
        Map<String, TopicConfig> topics = of(part(broker, "topicConfigManager"), "topicConfigTable");
        Map<String, ConsumerGroupInfo> groups = of(part(broker, "consumerManager"), "consumerTable");
        routes.clear();
        topics.clear();
        groups.clear();
        String topic = cell[0];
        if (!cell[1].equals("-")) {
            Set<MessageQueue> queues = new HashSet<>();
            for (String queue : cell[1].isEmpty() ? new String[0] : cell[1].split(",")) {
                queues.add(new MessageQueue(topic, queue.substring(0, 1), Integer.parseInt(queue.substring(1))));
            }
            routes.put(topic, queues);
            topics.put(topic, new TopicConfig(topic));
        }
        if (!cell[2].equals("-")) {
            ConsumerGroupInfo group = new ConsumerGroupInfo(GROUP, null, null, null);
            for (String id : cell[2].isEmpty() ? new String[0] : cell[2].split(",")) {
                EmbeddedChannel channel = new EmbeddedChannel();
                group.getChannelInfoTable().put(channel, new ClientChannelInfo(channel, id, LanguageCode.JAVA, 400));
            }
            groups.put(GROUP, group);
        }
    }

    /** Lets the broker know the group, so that a mode can be set. */
    private void known(Object groups) throws Exception {
        Map<String, Object> table = of(groups, "subscriptionGroupTable");
        Class<?> type = null;
        for (String name : Arrays.asList("remoting.protocol.subscription", "common.subscription")) {
            try {
                type = Class.forName("org.apache.rocketmq." + name + ".SubscriptionGroupConfig");
                break;
            } catch (ClassNotFoundException gone) {
                continue;
            }
        }
        table.put(GROUP, type.getConstructor().newInstance());
    }

    private static Object part(Object of, String name) throws Exception {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(of);
            } catch (NoSuchFieldException above) {
                continue;
            }
        }
        throw new NoSuchFieldException(name);
    }

    @SuppressWarnings("unchecked")
    private <T> T of(Object from, String name) throws Exception {
        return (T) part(from, name);
    }

    private RemotingCommand request(int code, String body) throws Exception {
        RemotingCommand request = RemotingCommand.createRequestCommand(code, null);
        request.setBody(body.getBytes(StandardCharsets.UTF_8));
        return processor.processRequest(null, request);
    }

    private static String text(String name, String value) {
        return "\"" + name + "\":\"" + value + "\"";
    }

    private String set(String topic, String asked) throws Exception {
        String[] mode = asked.split(":");
        String body = "{" + text("topic", topic) + "," + text("consumerGroup", GROUP) + "," + text("mode", mode[0])
            + ",\"popShareQueueNum\":" + mode[1] + "}";
        RemotingCommand response = request(SET_MESSAGE_REQUEST_MODE, body);
        return response.getCode() == 0 ? "set" : response.getRemark();
    }

    private String ask(String topic, String id, String model, String strategy) throws Exception {
        String body = "{" + text("topic", topic) + "," + text("consumerGroup", GROUP) + "," + text("clientId", id) + ","
            + text("messageModel", model) + "," + text("strategyName", strategy) + "}";
        String answer = new String(request(QUERY_ASSIGNMENT, body).getBody(), StandardCharsets.UTF_8);
        Class<?> type = null;
        for (String name : Arrays.asList("remoting", "common")) {
            try {
                type = Class.forName(
                    "org.apache.rocketmq." + name + ".protocol.body.QueryAssignmentResponseBody");
                break;
            } catch (ClassNotFoundException elsewhere) {
                continue;
            }
        }
        Method decode = Class.forName("org.apache.rocketmq.remoting.protocol.RemotingSerializable")
            .getMethod("decode", byte[].class, Class.class);
        Object found = decode.invoke(null, answer.getBytes(StandardCharsets.UTF_8), type);
        Set<?> assigned = (Set<?>) type.getMethod("getMessageQueueAssignments").invoke(found);
        if (assigned == null) {
            return "null";
        }
        TreeSet<String> modes = new TreeSet<>();
        TreeSet<MessageQueue> queues = new TreeSet<>();
        for (Object one : assigned) {
            modes.add(String.valueOf(one.getClass().getMethod("getMode").invoke(one)));
            queues.add((MessageQueue) one.getClass().getMethod("getMessageQueue").invoke(one));
        }
        String names = queues.stream().map(one -> one.getBrokerName() + one.getQueueId()).collect(Collectors.joining(","));
        return modes.isEmpty() ? "" : String.join("+", modes) + " " + names;
    }

    public static void main(String[] arguments) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Assignments one = new Assignments(arguments[0]);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] cell = line.split("\t", -1);
            one.prepare(cell);
            String set = cell[6].equals("-") ? "-" : one.set(cell[0], cell[6]);
            StringJoiner answers = new StringJoiner("|");
            String listed = cell[2].equals("-") ? "" : cell[2];
            for (String id : (listed.isEmpty() ? "z" : listed + ",z").split(",")) {
                answers.add(one.ask(cell[0], id, cell[5], cell[4]));
            }
            out.println(set + "\t" + answers);
            out.flush();
        }
        System.exit(0);
    }
}
