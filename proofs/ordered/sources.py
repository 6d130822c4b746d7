"""Addresses of the RocketMQ sources about ordered consumers and the broker's locks."""

_CLIENT = (
    "https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
)

LOCAL_LOCK = f"{_CLIENT}/MessageQueueLock.java"
LOCK = "https://github.com/apache/rocketmq/blob/develop/broker/src/main/java/org/apache/rocketmq/broker/client/rebalance/RebalanceLockManager.java"
ORDERLY = f"{_CLIENT}/ConsumeMessageOrderlyService.java"
SHUT = f"{_CLIENT}/DefaultMQPushConsumerImpl.java"
