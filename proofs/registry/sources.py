"""Addresses of the RocketMQ sources and issues about the behaviour of brokers and clients."""

from rebalance_proofs.model.releases import SOURCES

_BROKER = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker"
_ISSUES = "https://github.com/apache/rocketmq/issues"

MANAGER = f"{_BROKER}/client/ConsumerManager.java"
GROUP_INFO = f"{_BROKER}/client/ConsumerGroupInfo.java"
LISTENER = f"{_BROKER}/client/DefaultConsumerIdsChangeListener.java"
GOODBYES = f"{_BROKER}/processor/ClientManageProcessor.java"
PROCESSOR = f"{_BROKER}/processor/ConsumerManageProcessor.java"
ROUTES = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl/factory/MQClientInstance.java"
START = f"{SOURCES}/client/src/main/java/org/apache/rocketmq/client/impl/consumer/DefaultMQPushConsumerImpl.java"
RESTART, RECONNECT, TWO_BROKERS, SHARED = (f"{_ISSUES}/{number}" for number in (9830, 7870, 1095, 10435))
