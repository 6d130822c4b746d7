"""Where the behaviour of the clients can be read, and what was reported about it."""

_CLIENT = (
    "https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
)

REBALANCE = f"{_CLIENT}/RebalanceImpl.java"
REBALANCE_PUSH = f"{_CLIENT}/RebalancePushImpl.java"

ISSUES = "https://github.com/apache/rocketmq/issues"
GO_UNLOCK = "https://github.com/apache/rocketmq-client-go/pull/1220"
