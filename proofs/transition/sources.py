"""Links to the clients' code, and to reports about its behaviour."""

_CLIENT = (
    "https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
)

REBALANCE = f"{_CLIENT}/RebalanceImpl.java"
REBALANCE_PUSH = f"{_CLIENT}/RebalancePushImpl.java"

ISSUES = "https://github.com/apache/rocketmq/issues"
GO_UNLOCK = "https://github.com/apache/rocketmq-client-go/pull/1220"
