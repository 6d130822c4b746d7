package step;

import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** The visible steps of a client, in order. */
final class Effects {
    final List<String> list = new ArrayList<>();

    void add(String effect) {
        list.add(effect);
    }

    void add(String effect, MessageQueue queue) {
        list.add(effect + "@" + Names.queue(queue));
    }
}
