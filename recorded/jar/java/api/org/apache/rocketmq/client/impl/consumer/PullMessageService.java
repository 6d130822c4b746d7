package org.apache.rocketmq.client.impl.consumer;

import org.apache.rocketmq.client.impl.factory.MQClientInstance;

public class PullMessageService {
    public PullMessageService(MQClientInstance mQClientFactory) {
    }

    public void executePullRequestLater(PullRequest pullRequest, long timeDelay) {
    }

    public void executePullRequestImmediately(PullRequest pullRequest) {
    }

    public void executePopPullRequestLater(PopRequest popRequest, long timeDelay) {
    }

    public void executePopPullRequestImmediately(PopRequest popRequest) {
    }
}
