"""Addresses of the RocketMQ sources that determine the behaviour of offsets."""

from rebalance_proofs.model.releases import SOURCES

_CLIENT = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client"

STORE = f"{_CLIENT}/consumer/store/RemoteBrokerOffsetStore.java"
CONCURRENTLY = f"{_CLIENT}/impl/consumer/ConsumeMessageConcurrentlyService.java"
ORDERLY_SERVICE = f"{_CLIENT}/impl/consumer/ConsumeMessageOrderlyService.java"
FIRST_PULL = f"{_CLIENT}/impl/consumer/DefaultMQPushConsumerImpl.java"
SHUTDOWN = f"{SOURCES}/common/src/main/java/org/apache/rocketmq/common/utils/ThreadUtils.java"
RESET = f"{_CLIENT}/impl/factory/MQClientInstance.java"
COMMIT = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker/offset/ConsumerOffsetManager.java"
