"""Where the behaviour of the rebalance thread can be read."""

__all__ = ["REBALANCE_SERVICE", "SERVICE_THREAD"]

_SOURCE = "https://github.com/apache/rocketmq/blob/develop"

SERVICE_THREAD = f"{_SOURCE}/common/src/main/java/org/apache/rocketmq/common/ServiceThread.java"
REBALANCE_SERVICE = f"{_SOURCE}/client/src/main/java/org/apache/rocketmq/client/impl/consumer/RebalanceService.java"
