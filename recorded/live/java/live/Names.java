package live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.rocketmq.common.message.MessageQueue;

/** Short names: a queue is topic:brokerName:queueId, a request has the name of its code. */
final class Names {
    private Names() {
    }

    static String queue(MessageQueue mq) {
        return mq.getTopic() + ":" + mq.getBrokerName() + ":" + mq.getQueueId();
    }

    static List<String> sorted(Collection<MessageQueue> queues) {
        return queues == null ? null : asTheyCome(new TreeSet<>(queues));
    }

    static List<String> asTheyCome(Collection<MessageQueue> queues) {
        if (queues == null) {
            return null;
        }
        List<String> names = new ArrayList<>();
        for (MessageQueue mq : queues) {
            names.add(queue(mq));
        }
        return names;
    }

    static String code(int code) {
        switch (code) {
            case Codes.SEND:
            case Codes.SEND_V2:
                return "SEND_MESSAGE";
            case Codes.PULL:
                return "PULL_MESSAGE";
            case Codes.QUERY_OFFSET:
                return "QUERY_CONSUMER_OFFSET";
            case Codes.UPDATE_OFFSET:
                return "UPDATE_CONSUMER_OFFSET";
            case 29:
                return "SEARCH_OFFSET_BY_TIMESTAMP";
            case Codes.MAX_OFFSET:
                return "GET_MAX_OFFSET";
            case 31:
                return "GET_MIN_OFFSET";
            case Codes.HEARTBEAT:
                return "HEART_BEAT";
            case Codes.UNREGISTER:
                return "UNREGISTER_CLIENT";
            case 36:
                return "CONSUMER_SEND_MSG_BACK";
            case Codes.CONSUMER_LIST:
                return "GET_CONSUMER_LIST_BY_GROUP";
            case Codes.NOTIFY:
                return "NOTIFY_CONSUMER_IDS_CHANGED";
            case Codes.LOCK:
                return "LOCK_BATCH_MQ";
            case Codes.UNLOCK:
                return "UNLOCK_BATCH_MQ";
            case 46:
                return "CHECK_CLIENT_CONFIG";
            case 103:
                return "REGISTER_BROKER";
            case Codes.RESET:
                return "INVOKE_BROKER_TO_RESET_OFFSET";
            case Codes.ROUTE:
                return "GET_ROUTEINFO_BY_TOPIC";
            default:
                return "CODE_" + code;
        }
    }
}
