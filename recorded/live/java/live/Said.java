package live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** What requests and responses say, as far as it matters here. Bodies are in other packages from 5.0 on. */
final class Said {
    private static final String[] OF_REQUESTS = {"consumerGroup", "clientID", "queueOffset", "commitOffset", "sysFlag",
        "subVersion", "subscription", "timestamp", "group", "originTopic", "delayLevel", "offset", "a", "b"};
    private static final String[] OF_RESPONSES = {"offset", "nextBeginOffset", "minOffset", "maxOffset"};

    private Said() {
    }

    static Map<String, Object> request(RemotingCommand request) {
        Map<String, Object> said = new LinkedHashMap<>();
        try {
            Map<String, String> fields = fields(request);
            if (fields.containsKey("topic")) {
                String id = fields.get("queueId");
                said.put("q", fields.get("topic") + (id == null ? "" : ":" + id));
            }
            copy(fields, OF_REQUESTS, said);
            if (request.getBody() != null) {
                body(request, said);
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            said.put("unread", e.toString());
        }
        return said;
    }

    static Map<String, Object> response(int requestCode, RemotingCommand response) {
        Map<String, Object> said = new LinkedHashMap<>();
        if (response == null) {
            said.put("code", null);
            return said;
        }
        said.put("code", response.getCode());
        if (response.getRemark() != null && (response.getCode() != 0 || requestCode == Codes.UPDATE_OFFSET)) {
            said.put("remark", response.getRemark());
        }
        try {
            copy(fields(response), OF_RESPONSES, said);
            if (response.getBody() != null && response.getCode() == 0) {
                if (requestCode == Codes.LOCK) {
                    Object body = decoded(response, "body.LockBatchResponseBody");
                    said.put("granted", Names.sorted(queues(body, "getLockOKMQSet")));
                } else if (requestCode == Codes.CONSUMER_LIST) {
                    Object body = decoded(response, "header.GetConsumerListByGroupResponseBody");
                    said.put("ids", Reflect.call(body, "getConsumerIdList"));
                }
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            said.put("unread", e.toString());
        }
        return said;
    }

    /** Topic -> subString@subVersion. */
    static Map<String, String> subscriptions(Collection<?> found) throws ReflectiveOperationException {
        Map<String, String> said = new java.util.TreeMap<>();
        for (Object each : found) {
            String topic = String.valueOf(Reflect.call(each, "getTopic"));
            said.put(topic, Reflect.call(each, "getSubString") + "@" + Reflect.call(each, "getSubVersion"));
        }
        return said;
    }

    private static void body(RemotingCommand request, Map<String, Object> said) throws ReflectiveOperationException {
        switch (request.getCode()) {
            case Codes.LOCK:
            case Codes.UNLOCK: {
                String name = request.getCode() == Codes.LOCK ? "LockBatchRequestBody" : "UnlockBatchRequestBody";
                Object body = decoded(request, "body." + name);
                said.put("consumerGroup", Reflect.call(body, "getConsumerGroup"));
                said.put("clientID", Reflect.call(body, "getClientId"));
                said.put("queues", Names.sorted(queues(body, "getMqSet")));
                break;
            }
            case Codes.HEARTBEAT: {
                Object body = decoded(request, "heartbeat.HeartbeatData");
                said.put("clientID", Reflect.call(body, "getClientID"));
                List<Object> groups = new ArrayList<>();
                for (Object each : (Collection<?>) Reflect.call(body, "getConsumerDataSet")) {
                    Map<String, Object> group = new LinkedHashMap<>();
                    group.put("group", Reflect.call(each, "getGroupName"));
                    Collection<?> found = (Collection<?>) Reflect.call(each, "getSubscriptionDataSet");
                    group.put("subs", subscriptions(found));
                    groups.add(group);
                }
                said.put("groups", groups);
                break;
            }
            default:
        }
    }

    private static Map<String, String> fields(RemotingCommand command) {
        if (command.getExtFields() == null && command.readCustomHeader() != null) {
            command.makeCustomHeaderToNet();
        }
        return command.getExtFields() == null ? new LinkedHashMap<>() : command.getExtFields();
    }

    private static void copy(Map<String, String> fields, String[] names, Map<String, Object> said) {
        for (String name : names) {
            if (fields.containsKey(name)) {
                said.put(name, fields.get(name));
            }
        }
    }

    private static Object decoded(RemotingCommand command, String name) throws ReflectiveOperationException {
        Class<?> type = Reflect.type("org.apache.rocketmq.remoting.protocol." + name,
            "org.apache.rocketmq.common.protocol." + name);
        Class<?> decoder = Class.forName("org.apache.rocketmq.remoting.protocol.RemotingSerializable");
        return Reflect.invoke(decoder.getMethod("decode", byte[].class, Class.class), null, command.getBody(), type);
    }

    @SuppressWarnings("unchecked")
    private static Collection<MessageQueue> queues(Object body, String getter) throws ReflectiveOperationException {
        return (Collection<MessageQueue>) Reflect.call(body, getter);
    }
}
