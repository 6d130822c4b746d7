package step;

import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.impl.MQAdminImpl;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

/** The client's own queries of offsets, observed. */
final class Admin extends MQAdminImpl {
    private static final String NOT_FOUND = "nf";

    private final Answers answers;
    private final Effects effects;
    private final boolean remote;

    /** {@code remote}: the offset store is the client's own, and the answer is scripted as {@code max}. */
    Admin(MQClientInstance instance, Answers answers, Effects effects, boolean remote) {
        super(instance);
        this.answers = answers;
        this.effects = effects;
        this.remote = remote;
    }

    @Override
    public long maxOffset(MessageQueue queue) throws MQClientException {
        observe("maxOffset", queue);
        return super.maxOffset(queue);
    }

    @Override
    public long searchOffset(MessageQueue queue, long timestamp) throws MQClientException {
        observe("searchOffset", queue);
        return super.searchOffset(queue, timestamp);
    }

    private void observe(String name, MessageQueue queue) {
        String said = said(queue);
        effects.add(name + "=" + said, queue);
        if (said.equals("rt")) {
            throw new IllegalStateException("scripted admin");
        }
    }

    /** The broker's answer to a query for an offset: a number, {@code err} or {@code rt}. */
    String said(MessageQueue queue) {
        if (remote) {
            return answers.ask(queue, "max");
        }
        String stored = answers.ask(queue, "off");
        return stored.startsWith(NOT_FOUND) ? stored.substring(NOT_FOUND.length()) : "0";
    }
}
