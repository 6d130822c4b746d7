"""Addresses of the RocketMQ sources about heartbeats, broker subscriptions, and pulls."""

_SOURCE = "https://github.com/apache/rocketmq/blob/develop"
_BROKER = f"{_SOURCE}/broker/src/main/java/org/apache/rocketmq/broker"
_CLIENT = f"{_SOURCE}/client/src/main/java/org/apache/rocketmq/client/impl"

CONSUMER_GROUP_INFO = f"{_BROKER}/client/ConsumerGroupInfo.java"
PULL_PROCESSOR = f"{_BROKER}/processor/PullMessageProcessor.java"
REBALANCE_PUSH = f"{_CLIENT}/consumer/RebalancePushImpl.java"
