"""Addresses of the RocketMQ sources about ordered consumers and the broker's locks."""

from rebalance_proofs.model.releases import CONSUMERS, SOURCES

LOCAL_LOCK = f"{CONSUMERS}/MessageQueueLock.java"
LOCK = f"{SOURCES}/broker/src/main/java/org/apache/rocketmq/broker/client/rebalance/RebalanceLockManager.java"
ORDERLY = f"{CONSUMERS}/ConsumeMessageOrderlyService.java"
SHUT = f"{CONSUMERS}/DefaultMQPushConsumerImpl.java"
