package live;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.rocketmq.common.message.MessageQueue;

/** A broker's tables of locks, members, subscriptions and offsets: a look every 50 ms, and what has changed. */
final class Tables {
    private static final long LOOK_MS = 50;

    private final Out out;
    private final Object controller;
    private final Map<String, Look> looks = new LinkedHashMap<>();
    private Map<String, String> before = new HashMap<>();

    Tables(Out out, Object controller) {
        this.out = out;
        this.controller = controller;
        looks.put("lock", this::locks);
        looks.put("members", this::members);
        looks.put("offset", this::offsets);
    }

    /** A look at one table, whose rows are added. */
    private interface Look {
        void at(Map<String, String> rows) throws ReflectiveOperationException;
    }

    void watch() throws InterruptedException {
        while (true) {
            Map<String, String> rows = new TreeMap<>();
            for (Map.Entry<String, Look> each : new LinkedHashMap<>(looks).entrySet()) {
                try {
                    each.getValue().at(rows);
                } catch (ReflectiveOperationException | ClassCastException e) {
                    looks.remove(each.getKey());
                    out.cannot(e, "table " + each.getKey());
                }
            }
            tell(rows);
            Thread.sleep(LOOK_MS);
        }
    }

    private void tell(Map<String, String> rows) {
        for (Map.Entry<String, String> each : rows.entrySet()) {
            if (!each.getValue().equals(before.get(each.getKey()))) {
                changed(each.getKey(), each.getValue(), before.get(each.getKey()));
            }
        }
        for (String key : before.keySet()) {
            if (!rows.containsKey(key)) {
                changed(key, null, before.get(key));
            }
        }
        before = rows;
    }

    private void changed(String key, String is, String was) {
        String[] words = key.split(" ", 2);
        out.event("table", "what", words[0], "of", words[1], "is", is, "was", was);
    }

    private void locks(Map<String, String> rows) throws ReflectiveOperationException {
        Object manager = Reflect.call(controller, "getRebalanceLockManager");
        for (Map.Entry<?, ?> group : ((Map<?, ?>) Reflect.read(manager, "mqLockTable")).entrySet()) {
            for (Map.Entry<?, ?> each : ((Map<?, ?>) group.getValue()).entrySet()) {
                String key = "lock " + group.getKey() + " " + Names.queue((MessageQueue) each.getKey());
                rows.put(key, String.valueOf(Reflect.read(each.getValue(), "clientId")));
            }
        }
    }

    private void members(Map<String, String> rows) throws ReflectiveOperationException {
        Object manager = Reflect.call(controller, "getConsumerManager");
        for (Object group : ((Map<?, ?>) Reflect.read(manager, "consumerTable")).values()) {
            Object name = Reflect.call(group, "getGroupName");
            TreeSet<String> members = new TreeSet<>();
            for (Map.Entry<?, ?> each : ((Map<?, ?>) Reflect.call(group, "getChannelInfoTable")).entrySet()) {
                String address = String.valueOf(Reflect.call(each.getKey(), "remoteAddress"));
                Object id = Reflect.call(each.getValue(), "getClientId");
                members.add(id + ":" + address.substring(address.lastIndexOf(':') + 1));
            }
            rows.put("members " + name, String.join(" ", members));
            Map<?, ?> table = (Map<?, ?>) Reflect.call(group, "getSubscriptionTable");
            rows.put("subs " + name, Said.subscriptions(table.values()).toString());
        }
    }

    private void offsets(Map<String, String> rows) throws ReflectiveOperationException {
        Object manager = Reflect.call(controller, "getConsumerOffsetManager");
        for (Map.Entry<?, ?> each : ((Map<?, ?>) Reflect.call(manager, "getOffsetTable")).entrySet()) {
            for (Map.Entry<?, ?> queue : ((Map<?, ?>) each.getValue()).entrySet()) {
                rows.put("offset " + each.getKey() + ":" + queue.getKey(), String.valueOf(queue.getValue()));
            }
        }
    }
}
