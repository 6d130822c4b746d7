package step;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/** A push consumer whose thresholds are observed. */
final class Consumer extends DefaultMQPushConsumer {
    private final Effects effects;

    Consumer(String group, Effects effects) {
        super(group);
        this.effects = effects;
    }

    @Override
    public void setPullThresholdForQueue(int threshold) {
        super.setPullThresholdForQueue(threshold);
        if (effects != null) {
            effects.add("setPullThresholdForQueue(" + threshold + ")");
        }
    }

    @Override
    public void setPullThresholdSizeForQueue(int threshold) {
        super.setPullThresholdSizeForQueue(threshold);
        if (effects != null) {
            effects.add("setPullThresholdSizeForQueue(" + threshold + ")");
        }
    }
}
