"""Causes in a rebalance's changes of a client's process queue table."""

from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

STORE_THROWS = (
    "until the pull has expired (120 s) and the next rebalance (20 s) succeeds. For a pull or lite pull consumer, the "
    "pull never expires"
)

CAUSES = (
    Cause(
        "dropped-entry",
        "An ordered queue moved away while its listener ran, and came back, but its dropped ProcessQueue stays and "
        "nothing is pulled.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until the old ProcessQueue's pull expires, if its listener has returned by then", way=Way.BACK),
                transition("returns.push-orderly-as-shipped"),
                (
                    *transition("returns.anything-but-push-orderly-as-shipped"),
                    "transition.node.returns",
                ),
                bounds=transition("heals.push"),
            ),
        ),
        (lines.STILL_CONSUMING, lines.DROPPED, lines.NOT_PULLED),
        (
            "mqadmin consumerStatus -i ID shows droped=true and an old lastPullTimestamp for the queue.",
            'mqadmin consumerStatus prints "unlock N times, still failed".',
        ),
        (Sign.DROPPED, Sign.UNLOCK_FAILED, Sign.NOT_PULLED, Sign.BEHIND, Sign.STANDS),
        (
            Help("Restart that consumer, which then has no ProcessQueues."),
            Help(
                "Use shorter batches (consumeMessageBatchMaxSize), and leave time between rebalances, for example in "
                "a rolling restart."
            ),
        ),
    ),
    Cause(
        "no-readable-queue",
        "The route of a topic had no readable queue for a time, for example because its permission was write-only. The "
        "lite pull consumer ended its pull tasks, and starts them only for queues that it did not have before.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until the consumer restarts, or until its queues move to another consumer and come back"),
            ),
        ),
        (lines.NO_ROUTE,),
        (
            "DefaultLitePullConsumer.assignment() is empty, and mqadmin topicRoute lists the queues with perm 6.",
            "The consumer queries the group's members every second.",
        ),
        (Sign.BEHIND,),
        (
            Help("Restart the consumer after each change of mqadmin updateTopicPerm that takes the read permission."),
            Help("Use clients up to 5.4.0 for lite pull consumers, which continue when the queues are readable again."),
        ),
        issues=("rocketmq#9780",),
        read=("5.5.0",),
        modes=("lite pull",),
        source="RebalanceImpl.rebalanceByTopic; DefaultLitePullConsumerImpl.updatePullTask; "
        "AssignedMessageQueue.updateAssignedMessageQueue",
    ),
    Cause(
        "expired-pull",
        "Nothing was pulled from a queue for two minutes, so the client removes its ProcessQueue although it still "
        "owns the queue. Uncommitted messages are consumed again.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                lasts,
                (*transition("kept.push"), "transition.node.kept"),
                transition("kept.pull-and-lite-pull"),
            )
            for symptom, lasts in (
                (
                    Symptom.STUCK,
                    Lasts(
                        "until two minutes have passed without a pull, and the next rebalance is done (26 s)",
                        146_000,
                    ),
                ),
                (Symptom.TWICE, Lasts("at each such removal", event=True)),
            )
        ),
        (lines.NOT_PULLED,),
        ("The removal recurs if its reason persists, such as a blocked pull thread or a lost pull request.",),
        (Sign.NOT_PULLED, Sign.BEHIND, Sign.BLOCKED),
        (Help("Find out what blocked the pulls: a thread dump (-s) shows where the pull thread waits."),),
    ),
    Cause(
        "store-throws",
        "A user-defined offset store throws, which ends the topic's rebalance and leaves some queues with a dropped "
        "ProcessQueue or without a pull.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(STORE_THROWS),
                (
                    *transition("returns.own-store"),
                    *transition("pulls.push-own-store", "5_0", "5_2", "4_9_0"),
                    *transition("heals.pull-and-lite-pull"),
                ),
                bounds=transition("heals.push"),
            ),
            Effect(
                Symptom.TWICE,
                Lasts("until a rebalance runs without a failure"),
                transition("marked.own-store", "4_9"),
                transition("marked", "5_0", "5_2"),
            ),
        ),
        (),
        ("The client logs an exception of the store that was passed to setOffsetStore.",),
        (Sign.DROPPED, Sign.SHARED, Sign.NOT_PULLED),
        (
            Help(
                "Use a store that logs failures and does not throw.",
                (
                    *transition("marked.own-store.when-persist-works", "4_9"),
                    *transition("pulls.push-own-store.when-nothing-unexpected", "5_0", "5_2"),
                ),
            ),
        ),
    ),
    Cause(
        "cannot-commit",
        "A client that cannot commit a removed queue's offset does not mark the queue as dropped, and still consumes "
        "it beside the new owner.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("until a rebalance can commit it"),
                ("transition.node.marked.clustering",),
                (*transition("marked.as-shipped", "4_9"), *transition("marked", "5_0", "5_2")),
            ),
        ),
        (),
        (),
        (Sign.SHARED,),
        (Help("Make sure that the brokers answer.", ("transition.node.marked.when-persist-works",)),),
    ),
)
