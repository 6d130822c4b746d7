"""Causes around offsets: lost, moved back, or skipped ahead."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, of_node, offsets, subscriptions, transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

SKIPPED_BEFORE, WITH_ERRORS = "not-skipped.without-offset", "not-skipped.without-answers"

CAUSES = (
    Cause(
        "nothing-committed",
        "Nothing is committed of a queue yet, as on a new broker or of a new group, and the group begins with the last "
        "offset (CONSUME_FROM_LAST_OFFSET, as shipped): what was sent before is skipped.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when the queue is given to its first consumer", event=True),
                (*offsets(SKIPPED_BEFORE), *in_order(SKIPPED_BEFORE), *of_node(SKIPPED_BEFORE)),
            ),
        ),
        (lines.ADDED,),
        (
            "mqadmin consumerProgress: the offset began beyond the first messages of the queue, of a broker or topic "
            "that is new, or of a group that is.",
        ),
        (),
        (
            Help(
                "CONSUME_FROM_FIRST_OFFSET.",
                (*offsets("not-skipped.first"), *in_order("not-skipped.first"), *of_node("not-skipped.first")),
            ),
            Help("mqadmin resetOffsetByTime -g GROUP -t TOPIC -s TIME gives what was skipped once more."),
        ),
    ),
    Cause(
        "arrived-before-first-pull",
        "Nothing is committed of an ordered queue yet, and the group begins with the last offset: that is asked for "
        "when the queue is added, and once more at its first pull, when it has its lock, and from 5.0 on half a second "
        "later at the earliest. What arrives in between is skipped, though the consumer had the queue.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when the queue is given to its first consumer", event=True),
                in_order("since-added"),
            ),
        ),
        (lines.ADDED,),
        (
            "The client's log has, for that queue: the first time to pull message, so fix offset from broker, with a "
            "NewOffset above the nextOffset of the pull request.",
        ),
        helps=(
            Help("CONSUME_FROM_FIRST_OFFSET.", in_order("not-skipped.first")),
            Help("Send to a new topic when the group's first pulls are through.", in_order("since-pulled")),
        ),
    ),
    Cause(
        "moved-before-a-commit",
        "Nothing was committed of a queue yet when it changed hands, or was given up and taken again: the next owner "
        "begins with the last offset once more. What arrived since the first one had it, and was not committed, is "
        "skipped.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a queue changes hands before its first commit", event=True),
                (
                    *offsets("since-asked"),
                    *offsets("since-added.without-keeping"),
                    *in_order("since-pulled.without-keeping"),
                ),
            ),
        ),
        (lines.REMOVED, lines.ADDED),
        ("The queue is new, or the group is; its consumers came or went within the first seconds.",),
        helps=(
            Help(
                "CONSUME_FROM_FIRST_OFFSET.",
                (*offsets("not-skipped.first"), *in_order("not-skipped.first")),
            ),
            Help(
                "Consumers that neither come nor go before the first offsets are committed (5 s).",
                (*offsets("since-added"), *in_order("since-pulled")),
            ),
        ),
    ),
    Cause(
        "error-read-as-none",
        'A broker answered the query for the committed offset with an error, which the client takes for "nothing is '
        'committed": it begins with the last offset, and what lies between is skipped.',
        Needs.FAILURE,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a queue is taken over in that moment", event=True),
                (*offsets(WITH_ERRORS, "4_9"), *in_order(WITH_ERRORS, "4_9")),
                (*offsets(WITH_ERRORS, "5"), *in_order(WITH_ERRORS, "5_0", "5_2")),
            ),
        ),
        (lines.ADDED,),
        (
            "The broker was busy, starting or short of threads just then; the consumer's offset jumped forward "
            "although the queue was consumed before.",
        ),
        (),
        (
            Help(
                "CONSUME_FROM_FIRST_OFFSET: then all of the queue is read again.",
                (*offsets("not-skipped.first"), *in_order("not-skipped.first")),
            ),
            Help(
                "A client that tells errors apart.",
                (*offsets(WITH_ERRORS, "5"), *in_order(WITH_ERRORS, "5_0", "5_2")),
            ),
        ),
    ),
    Cause(
        "failure-read-as-none",
        'Node takes every failure of the query for the committed offset, a timeout too, for "nothing is committed", '
        "and begins with the last offset.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a queue is taken over in that moment", event=True),
                of_node("not-skipped.without-answers"),
            ),
        ),
        looks=("RemoteBrokerOffsetStore.readOffset failed, in the error event of the consumer.",),
        helps=(Help("consumeFromWhere: CONSUME_FROM_FIRST_OFFSET.", of_node("not-skipped.first")),),
    ),
    Cause(
        "zero-sent-as-none",
        "Node sends -1 every five seconds for a queue whose offset is 0, or not known. A broker takes that for none: "
        "who takes the queue over next begins with the last offset.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when the queue is taken over before its first message is noted", event=True),
                of_node("not-skipped.without-above"),
            ),
            Effect(
                Symptom.BACK,
                Lasts("until the first message of the queue is noted"),
                of_node("back-at-most.without-above"),
            ),
        ),
        looks=("persist all consume offset, with consumer offset => -1, in the consumer's log.",),
        helps=(Help("consumeFromWhere: CONSUME_FROM_FIRST_OFFSET.", of_node("not-skipped.first")),),
    ),
    Cause(
        "closed-with-messages",
        "A Node consumer that is closed while it has messages notes those that wait as consumed, without a call; what "
        "it sends before its table is empty skips them.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when it is closed while offsets are sent", event=True),
                of_node("not-skipped.without-open"),
            ),
        ),
        looks=("consumer is closed, skip consume msg, in the consumer's log.",),
        helps=(Help("Close a consumer when its listener has nothing to do."),),
    ),
    Cause(
        "goes-on-after-it-was-taken",
        "A Node consumer goes on with the messages of a queue that was taken from it, one after the other, while the "
        "new owner reads them too.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("until what it had pulled is consumed", by_itself=True),
                of_node("stops"),
            ),
        ),
        looks=("The listener is called after `remove unnecessary messageQueue` in the consumer's log.",),
        helps=(Help("An idempotent listener. A smaller pullBatchSize and pullThresholdForQueue."),),
    ),
    Cause(
        "tags-differ",
        "Members of one group subscribe to one topic with different tags: the broker keeps one of the subscriptions, "
        "each client filters once more by its own tags, and moves on: what is not its own is skipped.",
        Needs.SETTING,
        (
            Effect(
                Symptom.LOST,
                Lasts("as long as members subscribe differently"),
                subscriptions("own-tags.without-same-tags", "all-tags.without-same-tags"),
            ),
        ),
        (lines.TAGS_CHANGED, lines.NOT_LATEST),
        (
            "mqadmin consumerStatus -i ID, of each member: SubExpression differs.",
            'mqadmin consumerStatus: "WARN: Different subscription in the same group of consumer!!!".',
        ),
        (Sign.SUBSCRIPTIONS,),
        (
            Help(
                "One group for each set of tags: every member subscribes to the same.",
                subscriptions("own-tags", "all-tags"),
            ),
        ),
        ("rocketmq#351",),
    ),
    Cause(
        "offset-illegal",
        "The client asked for an offset that the broker does not have: messages expired before they were consumed, or "
        "the broker's log was lost or shortened. It takes what the broker proposes, forward or back.",
        Needs.FAILURE,
        tuple(
            Effect(symptom, Lasts("once, for each such queue", event=True))
            for symptom in (Symptom.LOST, Symptom.BACK, Symptom.TWICE)
        ),
        (lines.ILLEGAL,),
        ("mqadmin consumerProgress: before it, a diff below 0, or one that has grown for as long as files are kept.",),
        (Sign.SKIPPED_AHEAD, Sign.WENT_BACK),
        (Help("fileReservedTime of the broker longer than consumption can lag; alarms on the diff."),),
        (),
        ("4.9.8", "5.3.3"),
        ("push", "push orderly"),
        "DefaultMQPushConsumerImpl.pullMessage, case OFFSET_ILLEGAL",
    ),
    Cause(
        "old-pull-task",
        "An old pull task of a lite pull consumer goes on with the queue's next entry.",
        Needs.NOTHING,
        (Effect(Symptom.LOST, Lasts("once, when a queue goes and comes back", event=True)),),
        (),
        ("A queue of a lite pull consumer went and came back just before.",),
        helps=(Help("Fewer rebalances in a row; not known which releases are free of it."),),
        issues=("rocketmq#2732",),
        read=("4.9.8",),
        modes=("lite pull",),
        source="DefaultLitePullConsumerImpl.PullTaskImpl; the issue",
    ),
    Cause(
        "late-commit",
        "A commit of a former owner, or of one that began lower, arrives after a higher one, and the broker takes it: "
        "whoever takes the queue over next reads from there.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.BACK,
                Lasts("until the owner's next commit: 5 s (persistConsumerOffsetInterval), or its next pull", 5_000),
                (*offsets("never-back"), *in_order("never-back"), *of_node("never-back")),
                bounds=(*offsets("back-at-most"), *in_order("back-at-most"), *of_node("back-at-most")),
            ),
            Effect(
                Symptom.TWICE,
                Lasts("once, where the queue changes hands before the next commit", event=True),
                (*offsets("never-back"), *in_order("never-back"), *of_node("never-back")),
                bounds=(*offsets("back-at-most"), *in_order("back-at-most"), *of_node("back-at-most")),
            ),
        ),
        (lines.WENT_BACK,),
        ("The broker's line has the address of who sent the lower offset: a former owner, or the queue's.",),
        (Sign.WENT_BACK,),
        (Help("An idempotent listener. Alarms on the diff that wait for two readings."),),
    ),
    Cause(
        "first-pull-from-nowhere",
        "Up to 4.9 the query for the offset of an ordered queue's first pull fails, and the client does not look: it "
        "asks for messages from offset -1 on. The broker answers with the queue's first offset, which the client "
        "commits ten seconds later.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                Lasts("once, when an ordered queue is taken over in that moment", event=True),
                in_order("from-an-offset", "4_9"),
                in_order("from-an-offset", "5_0", "5_2"),
            )
            for symptom in (Symptom.BACK, Symptom.TWICE)
        ),
        (lines.NO_OFFSET, lines.ILLEGAL),
        (
            "The client's log has, for that queue: the first time to pull message, so fix offset from broker, with "
            "NewOffset: -1.",
            "All of the queue that the broker still has is consumed again.",
        ),
        (Sign.WENT_BACK,),
        (Help("5.0 or later.", in_order("from-an-offset", "5_0", "5_2")),),
    ),
    Cause(
        "forgotten-while-sent",
        "An ordered queue came to a consumer while that was sending all its offsets, every five seconds: what was "
        "noted of the queue is forgotten then. Where it is taken away before the next batch is noted, what was "
        "consumed since the last commit is consumed again.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, where the queue goes before its next batch is noted", event=True),
                in_order("one-batch.without-steady"),
            ),
        ),
        looks=("remove unused mq, in the client's log, of a queue that it was given just before.",),
        helps=(Help("An idempotent listener."),),
    ),
    Cause(
        "ordered-without-good-bye",
        "The process of an ordered queue's owner ended, or it unsubscribed; or the next one asked for the queue while "
        "its owner was still at it, or its commit under way. What was consumed since the last commit is consumed "
        "again, and not one batch alone.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when the queue changes hands so", event=True),
                (*in_order("one-batch.without-turn"), *in_order("one-batch.without-staying")),
                bounds=in_order("only-uncommitted"),
            ),
        ),
        (lines.ADDED, lines.LOCK_RAN_OUT),
        ("The old owner's log ends without `remove unnecessary mq`, or goes on with the queue.",),
        helps=(
            Help(
                "shutdown() before a process ends, when its listener has returned: then at most a batch comes again.",
                in_order("one-batch"),
            ),
            Help("A shorter persistConsumerOffsetInterval (5 s as shipped)."),
        ),
    ),
    Cause(
        "broker-forgot",
        "The broker lost the last commits: it writes them to disk every 5 s (flushConsumerOffsetInterval), and a "
        "replica that takes its place has what was copied to it.",
        Needs.FAILURE,
        tuple(
            Effect(symptom, Lasts("once, when the broker ends without writing, or is replaced", event=True))
            for symptom in (Symptom.BACK, Symptom.TWICE)
        ),
        looks=("The broker restarted, or another one took its place, just before; all its queues went back at once.",),
        signs=(Sign.WENT_BACK,),
        helps=(Help("Shut brokers down in order (mqshutdown), which writes the offsets."),),
        read=("4.9.8", "5.3.3"),
        source="BrokerController.initialize, ConsumerOffsetManager.persist",
    ),
    Cause(
        "reset",
        "Somebody reset the group's offsets.",
        Needs.SETTING,
        tuple(
            Effect(symptom, Lasts("once, when the command is given", event=True))
            for symptom in (Symptom.BACK, Symptom.LOST, Symptom.TWICE)
        ),
        lines=(lines.RESET,),
        signs=(Sign.WENT_BACK,),
        helps=(Help("Ask who called mqadmin resetOffsetByTime, or the dashboard."),),
        read=("4.9.8", "5.3.3"),
        source="AdminBrokerProcessor.resetOffset, Broker2Client.resetOffset",
    ),
    Cause(
        "reset-undone",
        "A reset of offsets in the consumers (brokers up to 5.1.4, and later ones with useServerSideResetOffset=false) "
        "is undone: the rebalance with which it ends asks where to begin before the reset's own commit has arrived, "
        "for which nobody waits; or a pull is answered just when it sets the offset, and its next offset is sent in "
        "its place.",
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
        ("mqadmin consumerProgress, half a minute after the reset: the offset is not where it was set.",),
        (Sign.WENT_BACK,),
        (
            Help("Reset once more, and look. Or stop all consumers of the group, reset, and start them."),
            Help("Brokers from 5.2 on keep the offset themselves, as shipped; what of that holds is not claimed."),
        ),
    ),
    Cause(
        "commit-failed",
        "The offset of a queue that was taken away could not be sent, which is only logged: what was consumed since "
        "the last commit is consumed again.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when the queue changes hands", event=True),
                (*transition("persisted.clustering-as-shipped"), "transition.node.persisted.clustering"),
            ),
        ),
        (lines.NOT_COMMITTED, lines.REMOVED),
        (),
        (),
        (
            Help(
                "Brokers that answer.",
                (
                    *transition("persisted.clustering-as-shipped.when-persist-works"),
                    "transition.node.persisted.clustering.when-persist-works",
                ),
            ),
            Help("An idempotent listener."),
        ),
    ),
    Cause(
        "local-offset-lost",
        "A broadcasting consumer's offset was forgotten without being written to its file: what was consumed since is "
        "consumed again.",
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
        (Help("An idempotent listener."),),
    ),
    Cause(
        "unsubscribed",
        "Unsubscribing a topic does not save its offset: what was consumed since the last commit is consumed again.",
        Needs.SETTING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when a topic is unsubscribed", event=True),
                (*transition("unsubscribed-offset"), "transition.node.unsubscribed-offset"),
            ),
        ),
        (lines.TRUNCATED,),
        (),
        (),
        (
            Help(
                "suspend() it; wait until each pull that was sent before is answered (30 s), until it has no cached "
                "messages (mqadmin consumerStatus -i ID), its listeners have "
                "returned, and then for a commit (persistConsumerOffsetInterval, 5 s); unsubscribe; resume(). A "
                "suspended consumer pulls none of its topics, and lets go of the queues only as it is resumed."
            ),
        ),
    ),
)
