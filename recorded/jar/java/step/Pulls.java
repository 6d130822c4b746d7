package step;

import org.apache.rocketmq.client.impl.consumer.PopRequest;
import org.apache.rocketmq.client.impl.consumer.PullMessageService;
import org.apache.rocketmq.client.impl.consumer.PullRequest;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;

/** Observes requests for messages, which are never sent. */
final class Pulls extends PullMessageService {
    private final Effects effects;

    Pulls(MQClientInstance instance, Effects effects) {
        super(instance);
        this.effects = effects;
    }

    @Override
    public void executePullRequestLater(PullRequest request, long delay) {
        effects.add("pull(" + request.getNextOffset() + "," + delay + ")", request.getMessageQueue());
    }

    @Override
    public void executePullRequestImmediately(PullRequest request) {
        executePullRequestLater(request, 0);
    }

    @Override
    public void executePopPullRequestLater(PopRequest request, long delay) {
        effects.add("pop(" + delay + ")", request.getMessageQueue());
    }

    @Override
    public void executePopPullRequestImmediately(PopRequest request) {
        executePopPullRequestLater(request, 0);
    }
}
