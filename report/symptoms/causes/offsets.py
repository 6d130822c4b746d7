"""Causes in consumer offsets that are lost, roll back, or skip messages."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import SUSPENDING, Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import (
    UNSUBSCRIBING,
    in_order,
    of_node,
    offsets,
    subscriptions,
    transition,
)
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

SKIPPED_BEFORE, WITH_ERRORS = "not-skipped.without-offset", "not-skipped.without-answers"

CAUSES = (
    Cause(
        "nothing-committed",
        "A queue without a committed offset starts at its last offset (CONSUME_FROM_LAST_OFFSET, the default), so "
        "earlier messages are skipped. This happens on a new broker or in a new group.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when the queue gets its first owner", event=True),
                (*offsets(SKIPPED_BEFORE), *in_order(SKIPPED_BEFORE), *of_node(SKIPPED_BEFORE)),
            ),
        ),
        (lines.ADDED,),
        (
            "mqadmin consumerProgress shows that the consumer offset began above the queue's first messages. The "
            "broker, topic or group is new.",
        ),
        (),
        (
            Help(
                "Set CONSUME_FROM_FIRST_OFFSET.",
                (*offsets("not-skipped.first"), *in_order("not-skipped.first"), *of_node("not-skipped.first")),
                short="Set consumeFromWhere to CONSUME_FROM_FIRST_OFFSET.",
            ),
            Help("Run mqadmin resetOffsetByTime -g GROUP -t TOPIC -s TIME to consume the skipped messages."),
        ),
    ),
    Cause(
        "arrived-before-first-pull",
        "An ordered queue without a committed offset skips messages that arrive before its first pull "
        "(CONSUME_FROM_LAST_OFFSET). The consumer reads the last offset when it adds the queue, and again at the first "
        "pull. The first pull waits for the lock and, from 5.0 on, for at least half a second.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when the queue gets its first owner", event=True),
                in_order("since-added"),
            ),
        ),
        (lines.ADDED,),
        (
            'The client logs "the first time to pull message, so fix offset from broker" with a NewOffset above the '
            "pull request's nextOffset.",
        ),
        helps=(
            Help(
                "Set CONSUME_FROM_FIRST_OFFSET.",
                in_order("not-skipped.first"),
                short="Set consumeFromWhere to CONSUME_FROM_FIRST_OFFSET.",
            ),
            Help("Send to a new topic only after the group's first pulls.", in_order("since-pulled")),
        ),
    ),
    Cause(
        "moved-before-a-commit",
        "A queue changed owner before its first commit, so the next owner starts at the last offset and skips "
        "messages. The same happens if one consumer gives the queue up and takes it again. Skipped are the uncommitted "
        "messages that arrived since the first owner had the queue.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a queue changes owner before its first commit", event=True),
                (
                    *offsets("since-asked"),
                    *offsets("since-added.without-keeping"),
                    *in_order("since-pulled.without-keeping"),
                ),
            ),
        ),
        (lines.REMOVED, lines.ADDED),
        ("The queue or the group is new, and consumers came or went within the first seconds.",),
        helps=(
            Help(
                "Set CONSUME_FROM_FIRST_OFFSET.",
                (*offsets("not-skipped.first"), *in_order("not-skipped.first")),
                short="Set consumeFromWhere to CONSUME_FROM_FIRST_OFFSET.",
            ),
            Help(
                "Do not start or stop consumers before the first offsets are committed (5 s).",
                (*offsets("since-added"), *in_order("since-pulled")),
            ),
        ),
    ),
    Cause(
        "error-read-as-none",
        'A broker answered the query for the committed offset with an error, and the client took this for "nothing '
        'committed". It starts at the last offset and skips the messages in between.',
        Needs.FAILURE,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a queue changes owner at that moment", event=True),
                (*offsets(WITH_ERRORS, "4_9"), *in_order(WITH_ERRORS, "4_9")),
                (*offsets(WITH_ERRORS, "5"), *in_order(WITH_ERRORS, "5_0", "5_2")),
            ),
        ),
        (lines.ADDED,),
        (
            "The broker was busy, starting or short of threads. The consumer's offset jumped forward although the "
            "queue had been consumed before.",
        ),
        (),
        (
            Help(
                "Set CONSUME_FROM_FIRST_OFFSET: the client then reads the whole queue again.",
                (*offsets("not-skipped.first"), *in_order("not-skipped.first")),
            ),
            Help(
                "Use a client that distinguishes errors (5.0 or later).",
                (*offsets(WITH_ERRORS, "5"), *in_order(WITH_ERRORS, "5_0", "5_2")),
            ),
        ),
    ),
    Cause(
        "failure-read-as-none",
        'The Node client takes every failed query for the committed offset, even a timeout, for "nothing committed", '
        "and starts at the last offset.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a queue changes owner at that moment", event=True),
                of_node("not-skipped.without-answers"),
            ),
        ),
        looks=('The consumer\'s error event reports "RemoteBrokerOffsetStore.readOffset failed".',),
        helps=(Help("Set consumeFromWhere to CONSUME_FROM_FIRST_OFFSET.", of_node("not-skipped.first")),),
    ),
    Cause(
        "zero-sent-as-none",
        "The Node client commits -1 every five seconds for a queue whose offset is 0 or unknown, and the broker takes "
        "-1 for no offset. The queue's next owner starts at the last offset.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts(
                    "once, when the queue changes owner before the client records its first message as consumed",
                    event=True,
                ),
                of_node("not-skipped.without-above"),
            ),
            Effect(
                Symptom.BACK,
                Lasts("until the client records the queue's first message as consumed"),
                of_node("back-at-most.without-above"),
            ),
        ),
        looks=('The consumer logs "persist all consume offset" with "consumer offset => -1".',),
        helps=(Help("Set consumeFromWhere to CONSUME_FROM_FIRST_OFFSET.", of_node("not-skipped.first")),),
    ),
    Cause(
        "closed-with-messages",
        "A Node consumer that is closed counts its waiting messages as consumed without calling the listener. A commit "
        "that it sends before its queue table is empty skips them.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when it is closed while it commits offsets", event=True),
                of_node("not-skipped.without-open"),
            ),
        ),
        looks=('The consumer logs "consumer is closed, skip consume msg".',),
        helps=(
            Help(
                "Close a consumer only while its listener is idle.",
                short="Call close() only while the consumer's listener is idle.",
            ),
        ),
    ),
    Cause(
        "goes-on-after-it-was-taken",
        "A Node consumer whose queue moved away still consumes its pulled messages, one by one, while the new owner "
        "reads them too.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("until the pulled messages are consumed", by_itself=True),
                of_node("stops"),
            ),
        ),
        looks=("The listener is called after the consumer logs `remove unnecessary messageQueue`.",),
        helps=(
            Help(
                "Make the listener idempotent. Use a smaller pullBatchSize and pullThresholdForQueue.",
                short="Make the listener idempotent, and use a smaller pullBatchSize and pullThresholdForQueue.",
            ),
        ),
    ),
    Cause(
        "tags-differ",
        "Members of one group subscribe to one topic with different tags, so messages are skipped. The broker keeps "
        "one of the subscriptions. Each client filters again by its own tags and skips the rest.",
        Needs.SETTING,
        (
            Effect(
                Symptom.LOST,
                Lasts("as long as members have different subscriptions"),
                subscriptions("own-tags.without-same-tags", "all-tags.without-same-tags"),
            ),
        ),
        (lines.TAGS_CHANGED, lines.NOT_LATEST),
        (
            "mqadmin consumerStatus -i ID, run for each member, shows different values of SubExpression.",
            'mqadmin consumerStatus prints "WARN: Different subscription in the same group of consumer!!!".',
        ),
        (Sign.SUBSCRIPTIONS,),
        (
            Help(
                "Use one group for each set of tags, so that all members have the same subscription.",
                subscriptions("own-tags", "all-tags"),
            ),
        ),
        ("rocketmq#351",),
    ),
    Cause(
        "offset-illegal",
        "The client asked for an offset that the broker does not have, and moves to the offset that the broker "
        "proposes, forward or back. Messages expired before they were consumed, or the broker's log was lost or "
        "shortened.",
        Needs.FAILURE,
        tuple(
            Effect(symptom, Lasts("once for each such queue", event=True))
            for symptom in (Symptom.LOST, Symptom.BACK, Symptom.TWICE)
        ),
        (lines.ILLEGAL,),
        (
            "Before the jump, mqadmin consumerProgress shows a diff below 0, or one that has grown for as long as the "
            "broker keeps files.",
        ),
        (Sign.SKIPPED_AHEAD, Sign.WENT_BACK),
        (Help("Set the broker's fileReservedTime longer than consumption can lag, and set alarms on the diff."),),
        (),
        ("4.9.8", "5.3.3", "5.5.0"),
        ("push", "push orderly"),
        "DefaultMQPushConsumerImpl.pullMessage, case OFFSET_ILLEGAL",
    ),
    Cause(
        "old-pull-task",
        "An old pull task of a lite pull consumer continues with the queue's next ProcessQueue, and messages are lost.",
        Needs.NOTHING,
        (Effect(Symptom.LOST, Lasts("once, when a queue leaves and comes back", event=True)),),
        (),
        ("A queue of a lite pull consumer left and came back just before.",),
        helps=(
            Help(
                "Avoid several rebalances in a row. It is unknown which releases are free of this bug.",
                short="Avoid several rebalances in a row.",
            ),
        ),
        issues=("rocketmq#2732",),
        read=("4.9.8",),
        modes=("lite pull",),
        source="DefaultLitePullConsumerImpl.PullTaskImpl; the issue",
    ),
    Cause(
        "messages-out-of-order",
        "Pulled messages came in another order than that of their offsets. Once all are consumed, the client takes the "
        "offset after the last one that came for the next offset, and commits that lower offset.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts(
                    "once, when the queue changes its owner before a later message is consumed",
                    event=True,
                ),
            ),
        ),
        looks=(
            "Two pulls of one queue are answered in the other order: from 5.3.0 to 5.3.3 after a connection that took "
            "longer than the pull's timeout. Or the broker's store returns messages out of order.",
        ),
        signs=(Sign.BEHIND,),
        helps=(
            Help(
                "Upgrade clients of 5.3.0 to 5.3.3 to 5.4.0, which does not duplicate pull requests.",
                ("pulls.java_v5_4_0.one-request.without-connection",),
            ),
        ),
        issues=("rocketmq#10870",),
        read=("4.9.8", "5.3.3", "5.5.0"),
        modes=("push",),
        source="ProcessQueue.putMessage, .removeMessage",
    ),
    Cause(
        "late-commit",
        "A commit of a former owner, or of one that started at a lower offset, arrives after a higher one, and the "
        "broker accepts it. The queue's next owner reads from there.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.BACK,
                Lasts("until the owner's next commit (persistConsumerOffsetInterval, or its next pull)", 5_000),
                (*offsets("never-back"), *in_order("never-back"), *of_node("never-back")),
                bounds=(*offsets("back-at-most"), *in_order("back-at-most"), *of_node("back-at-most")),
            ),
            Effect(
                Symptom.TWICE,
                Lasts("once, if the queue changes owner before the next commit", event=True),
                (*offsets("never-back"), *in_order("never-back"), *of_node("never-back")),
                bounds=(*offsets("back-at-most"), *in_order("back-at-most"), *of_node("back-at-most")),
            ),
        ),
        (lines.WENT_BACK,),
        ("The broker logs the address of the client that sent the lower offset: a former owner, or the current one.",),
        (Sign.WENT_BACK,),
        (
            Help(
                "Make the listener idempotent. Let alarms on the diff wait for two readings.",
                short="Make the listener idempotent, and raise alarms on the diff only after two readings.",
            ),
        ),
    ),
    Cause(
        "first-pull-from-nowhere",
        "Up to 4.9, an ordered queue's first pull asks for offset -1 if the query for its start offset fails. The "
        "broker answers with the queue's first offset, which the client commits ten seconds later.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                Lasts("once, when an ordered queue changes owner at that moment", event=True),
                in_order("from-an-offset", "4_9"),
                in_order("from-an-offset", "5_0", "5_2"),
            )
            for symptom in (Symptom.BACK, Symptom.TWICE)
        ),
        (lines.NO_OFFSET, lines.ILLEGAL),
        (
            'The client logs "the first time to pull message, so fix offset from broker" with NewOffset: -1 for that '
            "queue.",
            "Everything that the broker still has of the queue is consumed again.",
        ),
        (Sign.WENT_BACK,),
        (Help("Upgrade to 5.0 or later.", in_order("from-an-offset", "5_0", "5_2")),),
    ),
    Cause(
        "forgotten-while-sent",
        "An ordered queue arrives while the consumer commits all its offsets (every five seconds), and the consumer "
        "forgets the offset recorded for the queue. If the queue moves on before the next batch is recorded, messages "
        "since the last commit are consumed again.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, if the queue moves on before its next batch is recorded", event=True),
                in_order("one-batch.without-steady"),
            ),
        ),
        looks=('The client logs "remove unused mq" for a queue that it has just received.',),
        helps=(Help("Make the listener idempotent."),),
    ),
    Cause(
        "ordered-without-good-bye",
        "An ordered queue changed owner without a clean hand-over, so all messages since the last commit are consumed "
        "again, not just one batch. The old owner's process ended, or it unsubscribed. Or the next owner asked for the "
        "queue while the old one was still consuming it, or while its commit was on the way.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, at such a change of owner", event=True),
                (*in_order("one-batch.without-turn"), *in_order("one-batch.without-staying")),
                bounds=in_order("only-uncommitted"),
            ),
        ),
        (lines.ADDED, lines.LOCK_RAN_OUT),
        ("The old owner's log ends without `remove unnecessary mq`, or shows that it still consumes the queue.",),
        helps=(
            Help(
                "Call shutdown() before a process ends, after its listener has returned: then at most one batch is "
                "redelivered.",
                in_order("one-batch"),
            ),
            Help("Shorten persistConsumerOffsetInterval (5 s by default)."),
        ),
    ),
    Cause(
        "broker-forgot",
        "The broker lost its last commits. It writes them to disk every 5 s (flushConsumerOffsetInterval), and a "
        "replica that replaces it has only the offsets copied so far.",
        Needs.FAILURE,
        tuple(
            Effect(symptom, Lasts("once, when the broker ends without writing them, or is replaced", event=True))
            for symptom in (Symptom.BACK, Symptom.TWICE)
        ),
        looks=("The broker restarted or was replaced just before, and all its queues rolled back at once.",),
        signs=(Sign.WENT_BACK,),
        helps=(Help("Shut brokers down with mqshutdown, which writes the offsets."),),
        read=("4.9.0", "5.3.3", "5.5.0"),
        source="BrokerController.initialize, ConsumerOffsetManager.persist",
    ),
    Cause(
        "reset",
        "Someone reset the group's offsets, with mqadmin or the dashboard.",
        Needs.SETTING,
        tuple(
            Effect(symptom, Lasts("once, when the command runs", event=True))
            for symptom in (Symptom.BACK, Symptom.LOST, Symptom.TWICE)
        ),
        lines=(lines.RESET,),
        signs=(Sign.WENT_BACK,),
        helps=(Help("Find out who called mqadmin resetOffsetByTime or used the dashboard."),),
        read=("4.9.8", "5.3.3", "5.5.0"),
        source="AdminBrokerProcessor.resetOffset, Broker2Client.resetOffset",
    ),
    Cause(
        "reset-undone",
        "A stale offset undoes a reset of offsets in the consumers. This concerns brokers up to 5.1.4, and later ones "
        "with useServerSideResetOffset=false. Either the rebalance that ends the reset asks for the start offset "
        "before the reset's own commit arrives. Or a pull is answered just when the reset sets the offset, and the "
        "client commits the pull's next offset instead.",
        Needs.SETTING,
        (
            *(
                Effect(
                    symptom,
                    Lasts("once, when offsets are reset", event=True),
                    (*offsets("reset-heard"), *in_order("reset-heard")),
                )
                for symptom in (Symptom.BACK, Symptom.TWICE)
            ),
            Effect(
                Symptom.LOST,
                Lasts("once, when offsets are reset", event=True),
                (*offsets("reset-sent.without-quiet"), *in_order("reset-sent.without-quiet")),
                bounds=(*offsets("reset-sent"), *in_order("reset-sent")),
            ),
        ),
        (lines.RESET, lines.ADDED, lines.WENT_BACK),
        ("Half a minute after the reset, mqadmin consumerProgress shows a different offset.",),
        (Sign.WENT_BACK,),
        (
            Help(
                "Reset again, and check. Or stop all consumers of the group, reset, and start them.",
                short="Reset again and check, or stop all consumers of the group during the reset.",
            ),
            Help(
                "Use brokers from 5.2 on, which keep the reset offset themselves by default. No claim covers them.",
                short="Use brokers from 5.2 on, which keep the reset offset themselves by default.",
            ),
        ),
    ),
    Cause(
        "commit-failed",
        "The client could not commit the offset of a queue that moved away, and only logged the failure. Messages "
        "since the last commit are consumed again.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when the queue changes owner", event=True),
                (*transition("persisted.clustering-as-shipped"), "transition.node.persisted.clustering"),
            ),
        ),
        (lines.NOT_COMMITTED, lines.REMOVED),
        (),
        (),
        (
            Help(
                "Make sure that the brokers answer.",
                (
                    *transition("persisted.clustering-as-shipped.when-persist-works"),
                    "transition.node.persisted.clustering.when-persist-works",
                ),
            ),
            Help("Make the listener idempotent."),
        ),
    ),
    Cause(
        "local-offset-lost",
        "A broadcasting consumer forgot an offset without writing it to its file, so messages since then are consumed "
        "again.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when the queue leaves the route and comes back, or its pull expires", event=True),
                (
                    *transition("persisted.broadcasting-as-shipped.when-persist-works", "5_0", "4_9_5"),
                    "transition.node.persisted.broadcasting.when-persist-works",
                ),
                transition("persisted.broadcasting-as-shipped.when-persist-works", "4_9", "5_2"),
            ),
        ),
        (lines.REMOVED,),
        (),
        (),
        (Help("Make the listener idempotent."),),
    ),
    Cause(
        "unsubscribed",
        "Unsubscribing from a topic does not save its offset, so messages since the last commit are consumed again.",
        Needs.SETTING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when a topic is unsubscribed", event=True),
                (*transition("unsubscribed-offset", *UNSUBSCRIBING), "transition.node.unsubscribed-offset"),
            ),
        ),
        (lines.TRUNCATED,),
        (),
        (),
        (
            Help(
                "Call suspend(), and wait 30 s for outstanding pulls. Wait until mqadmin consumerStatus -i ID shows no "
                "cached messages and the listeners have returned. Wait for a commit (persistConsumerOffsetInterval, 5 "
                "s), then unsubscribe and call resume(). A suspended consumer pulls from none of its topics, and "
                "releases the queues only at resume().",
                short="Call suspend(), wait 30 s, for all listeners and for a commit, then unsubscribe and call "
                "resume().",
                clients=SUSPENDING,
            ),
        ),
    ),
)
