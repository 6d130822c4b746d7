"""Links to the clients' code, and to reports about its behaviour."""

from rebalance_proofs.model.releases import CONSUMERS

REBALANCE = f"{CONSUMERS}/RebalanceImpl.java"
REBALANCE_PUSH = f"{CONSUMERS}/RebalancePushImpl.java"

ISSUES = "https://github.com/apache/rocketmq/issues"
GO_UNLOCK = "https://github.com/apache/rocketmq-client-go/pull/1220"
