"""The exported tests that run against released clients: each fails there, and passes where its fault is mended."""

from tests.report.export.runs import Case, Patch

CONSUMER = "org/apache/rocketmq/client/impl/consumer"
HASH = "org/apache/rocketmq/client/consumer/rebalance/AllocateMessageQueueConsistentHash.java"
NODE = "dist/consumer/PushConsumer.js"
DROPPED = Patch(
    f"{CONSUMER}/RebalanceImpl.java",
    "if (pq != null) {\n                    pq.setDropped(true);",
    "if (pq != null) {\n                    pq.setDropped(true);\n"
    "                    this.removeUnnecessaryMessageQueue(mq, pq);",
)
"""Unsubscribe ends with the steps of a removal: it stores the offset, and releases the lock."""
GO_DROPS = Patch(
    "process_queue.go",
    "dpq.consumer.cli.clientID)\n\t\tdpq.receiveMessageImmediatelyWithAttemptId(attemptId)",
    "dpq.consumer.cli.clientID)\n\t\tdpq.receiveMessageWithAttemptId(attemptId)",
)
"""A loop tests after an answer without messages whether its process queue was dropped, as in Java."""
CASES = (
    Case("receiving.python_v5_1_1.one-loop", "pytest", "2 receive loops poll queue 0 of T, not at most 1", "5.1.2"),
    Case("receiving.python_v5_1_1.apart", "pytest", "2 receive loops poll queue 0 of T, not 1 as before", "5.1.2"),
    Case(
        "receiving.python_v5_1_1.received.without-progress",
        "pytest",
        "0 receive loops poll queue 0 of T, not at least 1",
        "5.1.2",
    ),
    Case(
        "receiving.python_v5_1_1.unsubscribed.without-in-time",
        "pytest",
        "1 receive loops poll queue 0 of T, not 0",
        "5.1.2",
    ),
    Case("receiving.python_v5_0.let-go", "pytest", "2 receive loops poll queue 0 of T, not 0", "5.1.1"),
    Case("receiving.python_v5_0.unsubscribed", "pytest", "1 receive loops poll queue 0 of T, not 0", "5.1.1"),
    Case(
        "receiving.go.unharmed",
        "go",
        "0 receive loops poll queue 0 of T, not 1 as before",
        Patch(
            "push_consumer.go",
            "topic, pc.cli.clientID, err)\n\t\t}\n\t\tval, _ :=",
            "topic, pc.cli.clientID, err)\n\t\t\treturn true\n\t\t}\n\t\tval, _ :=",
        ),
    ),
    Case(
        "receiving.go.unsubscribed",
        "go",
        "1 receive loops poll queue 0 of T, not 0",
        Patch(
            "push_consumer.go",
            "pc.subscriptionExpressions.Delete(topic)",
            "pc.subscriptionExpressions.Delete(topic)\n\tpc.syncProcessQueue(topic, nil, nil)",
        ),
    ),
    Case("receiving.go.one-loop", "go", "2 receive loops poll queue 0 of T, not at most 1", GO_DROPS),
    Case("receiving.go.let-go", "go", "1 receive loops poll queue 0 of T, not 0", GO_DROPS),
    Case(
        "receiving.go.received.without-progress",
        "go",
        "0 receive loops poll queue 0 of T, not at least 1",
        Patch("process_queue.go", "atomic.NewInt64(math.MinInt64)", "atomic.NewInt64(0)"),
    ),
    Case(
        "receiving.node.unsubscribed",
        "node",
        "1 receive loops poll queue 0 of T, not 0",
        Patch(
            NODE,
            "this.#subscriptionExpressions.delete(topic);",
            "this.#subscriptionExpressions.delete(topic);\n"
            "        this.#syncProcessQueue(topic, new Assignments_1.Assignments([]), undefined);",
        ),
    ),
    Case(
        "receiving.node.stopped.without-in-time",
        "node",
        "1 receive loops poll queue 0 of T, not 0",
        Patch(
            NODE,
            ".then(latest => {",
            ".then(latest => {\n                    if (this.ended) return;",
            (("async shutdown() {", "async shutdown() {\n        this.ended = true;"),),
        ),
    ),
    Case(
        "receiving.java.unsubscribed",
        "junit",
        "1 receive loops poll queue 0 of T, not 0",
        Patch(
            "org/apache/rocketmq/client/java/impl/consumer/PushConsumerImpl.java",
            "subscriptionExpressions.remove(topic);",
            "subscriptionExpressions.remove(topic);\n"
            "        syncProcessQueue(topic, new Assignments(java.util.Collections.emptyList()), null);",
        ),
    ),
    Case(
        "receiving.java.received.without-progress",
        "junit",
        "0 receive loops poll queue 0 of T, not at least 1",
        Patch(
            "org/apache/rocketmq/client/java/impl/consumer/ProcessQueueImpl.java",
            "cacheFullNanoTime = Long.MIN_VALUE",
            "cacheFullNanoTime = System.nanoTime() - (1L << 60)",
        ),
    ),
    Case(
        "allocation.room-go.disjoint.with-a-room-twice",
        "go",
        "queue 0 is given to consumers 0 and 1",
        Patch(
            "consumer/strategy.go",
            "premqAll = append(premqAll, mq)\n",
            "premqAll = append(premqAll, mq)\n\t\t\t\t\t\tbreak\n",
        ),
    ),
    Case(
        "allocation.room-go.listed",
        "go",
        "queue 0 is given to a consumer, but is in no listed room",
        Patch(
            "consumer/strategy.go",
            "mqAll[i])\n\t\t}\n\t\tif rem > index {\n\t\t\tresult = append(result, premqAll[",
            "premqAll[i])\n\t\t}\n\t\tif rem > index {\n\t\t\tresult = append(result, premqAll[",
        ),
    ),
    Case(
        "allocation.hash-go.covers.without-virtual-nodes",
        "go",
        "queue 0 is given to no consumer",
        Patch(
            "consumer/strategy.go",
            "c.NumberOfReplicas = virtualNodeCnt",
            "c.NumberOfReplicas = virtualNodeCnt\n\t\tif virtualNodeCnt < 1 {\n\t\t\tc.NumberOfReplicas = 1\n\t\t}",
        ),
    ),
    Case(
        "allocation.hash-go.covers.without-virtual-nodes",
        "go",
        "queue 0 is given to no consumer",
        Patch(
            "consumer/strategy.go",
            "AllocateByConsistentHash(virtualNodeCnt int) AllocateStrategy {",
            "AllocateByConsistentHash(virtualNodeCnt int) AllocateStrategy {\n\tif virtualNodeCnt < 1 {\n"
            '\t\tpanic("illegal virtualNodeCnt")\n\t}',
        ),
    ),
    Case(
        "allocation.hash.covers.without-virtual-nodes",
        "rust",
        "queue 0 is given to no consumer",
        Patch("src/allocation.rs", "if virtual_node_count < 0 {", "if virtual_node_count < 1 {"),
    ),
    Case(
        "allocation.hash.covers.without-virtual-nodes",
        "junit",
        "no consumer gets 0",
        Patch(HASH, "virtualNodeCnt < 0", "virtualNodeCnt < 1"),
    ),
    Case(
        "allocation.hash.covers.without-virtual-nodes",
        "rust",
        "queue 0 is given to no consumer",
        Patch(
            "src/allocation.rs",
            "Self {\n            virtual_node_count,",
            "Self {\n            virtual_node_count: virtual_node_count.max(1),",
        ),
    ),
    Case(
        "allocation.hash.covers.without-virtual-nodes",
        "junit",
        "no consumer gets 0",
        Patch(HASH, "this.virtualNodeCnt = virtualNodeCnt;", "this.virtualNodeCnt = Math.max(1, virtualNodeCnt);"),
    ),
    Case("transition.java_v4_9_1.knows-lock.push-orderly", "junit", "the process queue is not locked", "4.9.8"),
    Case("transition.java_v4_9.offset-kept.push-orderly", "junit", "offset of a kept process queue is gone", "5.3.1"),
    Case(
        "transition.java_v4_9.unlocked.push-orderly.when-unlocks-arrive",
        "junit",
        "lock is held exactly with a process queue: ==> expected: <false> but was: <true>",
        "5.3.1",
    ),
    Case(
        "transition.java_v4_9.late-unlock.push-orderly-as-shipped",
        "junit",
        "delayed unlocks when the client has a new process queue: ==> expected: <0> but was: <1>",
        "5.3.1",
    ),
    Case(
        "transition.java_v4_9.no-stray-lock.push-orderly.when-offsets-answer",
        "junit",
        "lock is held without a process queue",
        "5.3.1",
    ),
    Case("transition.java_v5_0.renewed.push-orderly", "junit", "no broker is asked to renew the lock", "5.5.0"),
    Case(
        "transition.java_v5_2.no-group-lock.push-orderly-broadcasting-up-to-5-3-1",
        "junit",
        "a broadcasting consumer asks for the group's lock",
        "5.3.3",
    ),
    Case(
        "transition.java_v5_2.listener.push-orderly",
        "junit",
        "lock is released while the listener runs",
        Patch(
            f"{CONSUMER}/RebalancePushImpl.java",
            "boolean forceUnlock = pq.isDropped() &&",
            "boolean forceUnlock = false &&",
        ),
    ),
    Case(
        "transition.java_v5_2.unsubscribed-lock.push-orderly",
        "junit",
        "lock is held for a topic that is not subscribed",
        DROPPED,
    ),
    Case("transition.java_v5_2.unsubscribed-offset", "junit", "the offset is not stored at unsubscribe", DROPPED),
    Case(
        "transition.java_v5_2.returns.push-orderly-as-shipped",
        "junit",
        "an assigned queue has no live process queue",
        Patch(
            f"{CONSUMER}/RebalanceImpl.java",
            "if (!mqSet.contains(mq)) {",
            "if (pq.isDropped() && mqSet.contains(mq)) {\n                    it.remove();\n"
            "                } else if (!mqSet.contains(mq)) {",
        ),
    ),
)
"""All cases: five languages, and more than ten causes."""
