"""Addresses of the RocketMQ sources about heartbeats, broker subscriptions, and pulls."""

from rebalance_proofs.model.releases import SOURCES

_BROKER = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker"
_CLIENT = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl"

CONSUMER_GROUP_INFO = f"{_BROKER}/client/ConsumerGroupInfo.java"
PULL_PROCESSOR = f"{_BROKER}/processor/PullMessageProcessor.java"
REBALANCE_PUSH = f"{_CLIENT}/consumer/RebalancePushImpl.java"
