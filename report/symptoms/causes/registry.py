"""The broker's registry of consumers, their subscriptions, and its notifications."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import first_pulls, registry, settling, subscriptions
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

READ = ("4.9.8", "5.3.3")
PUSHED = ("push", "push orderly")

REBALANCED = "the next rebalance (20 s, and twice one of all groups: 26 s where that takes 3 s)"
TIMER = Lasts(
    "the timer's wait and twice a rebalance of all groups of the process: 26 s where that takes 3 s",
    26_000,
    settling("settles"),
)

CAUSES = (
    Cause(
        "subscriptions-overwritten",
        "Members subscribe to different topics: each heartbeat (30 s) replaces the topics of the whole group at that "
        "broker, which then refuses pulls of the others.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as members subscribe to different topics"),
                subscriptions("accepted.without-alike", "answered.without-room"),
                shown=subscriptions("restless", "never-answered"),
            ),
        ),
        (lines.TOPICS_CHANGED, lines.NOT_SUBSCRIBED, lines.PULL_FAILED),
        (
            "Both members' pulls are refused in turn, and tried again 1 s later.",
            'mqadmin consumerStatus: "WARN: Different subscription in the same group of consumer!!!".',
        ),
        (Sign.SUBSCRIPTIONS, Sign.NO_SUBSCRIPTION, Sign.BEHIND),
        (
            Help(
                "One group for each set of topics: every member subscribes to the same.",
                subscriptions("calm", "accepted"),
            ),
            Help(
                "postSubscriptionWhenPull: pulls have their expression with them, and are not checked by the table; "
                "notifications go on.",
                subscriptions("posted"),
            ),
        ),
        ("rocketmq#351",),
    ),
    Cause(
        "subscription-not-latest",
        "After a change of its share a client raises the version of its subscription; brokers that have not had its "
        "heartbeat yet refuse its pulls, of queues that it was given and of those that it keeps. Up to 4.9 it pulls at "
        "once, before its heartbeat: a queue that changes hands may wait for 1 s. From 5.0 on it pulls 0.5 s later, "
        "and is refused where the heartbeat takes longer, or was not sent, as another of its process was under way.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "as long as a heartbeat to all brokers takes (3 s for each that does not answer); where one was "
                    "under way, twice that and until the next one (30 s); and 1 s more",
                    37_000,
                    subscriptions("accepted"),
                    1_000,
                ),
                (
                    *subscriptions("accepted-soon.without-free"),
                    *first_pulls("first-pull", later=False),
                    *first_pulls("first-pull.without-free", "first-pull.without-soon"),
                ),
                first_pulls("first-pull"),
                shown=subscriptions("as-long"),
            ),
        ),
        (lines.NOT_LATEST, lines.PULL_FAILED, lines.HEARTBEAT_NOT_SENT),
        (
            "Up to 4.9 it comes with many changes of queues, at most once a queue, to concurrent listeners; it passes.",
            "From 5.0 on it comes, again and again, to a consumer that has just joined: the broker that gets its first "
            "heartbeat notifies it too, and it rebalances while that heartbeat still holds the lock of heartbeats.",
        ),
        helps=(
            Help("Nothing needs to be done, unless it stays: then a heartbeat does not reach that broker."),
            Help("postSubscriptionWhenPull: pulls are not checked by the table.", subscriptions("posted")),
            Help("5.0 or later: first pulls come after the heartbeat.", first_pulls("first-pull")),
        ),
    ),
    Cause(
        "heartbeat-v2",
        "With heartbeat V2 (com.rocketmq.heartbeat.v2, off as shipped) heartbeats leave the subscriptions out that the "
        "client thinks the broker has: one that forgot the group, or missed a change, is not told them again, and "
        "refuses its pulls. Where members subscribe to different topics, what another one's heartbeat takes out comes "
        "back with the second heartbeat after that, and not with the next.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until the client's table of queues changes while no heartbeat of its process is under way, or one "
                    "of another member brings what is missing"
                ),
                subscriptions("accepted", "accepted.forgotten", "answered", v2=True),
                bounds=subscriptions("answered-later", v2=True),
            ),
        ),
        (lines.NOT_SUBSCRIBED, lines.NO_GROUP, lines.NOT_LATEST, lines.PULL_FAILED),
        ("The broker was restarted, or lost all connections of the group, just before; or a share had changed.",),
        (Sign.BEHIND,),
        (
            Help("Leave com.rocketmq.heartbeat.v2 off.", subscriptions("accepted", "accepted.forgotten")),
            Help("Restart the consumer: its first heartbeat has the subscriptions."),
        ),
    ),
    Cause(
        "lost-notification",
        "The broker's notification that the group has changed is sent once, and was lost; or none was sent, as a scan "
        "removed the channel before the broker heard that it had closed the connection, or as notifications are "
        "switched off: the member finds out at its next rebalance.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                TIMER,
                registry("told.without-close", "told.without-notifications", "told-late.without-whole"),
                shown=settling("as-long"),
            )
            for symptom in (Symptom.STUCK, Symptom.TWICE)
        ),
        (lines.NOTIFIED, lines.SHARE_CHANGED),
        ("The member has no such line just after the others have it.",),
        (Sign.UNOWNED, Sign.SHARED),
        (Help("Fewer groups in one process: its timer goes through all of them in one thread."),),
    ),
    Cause(
        "lost-wake-up",
        "A notification arrives just when the client's rebalance thread begins to wait: the thread does not wake, nor "
        "for any other one during that wait.",
        Needs.FAILURE,
        tuple(Effect(symptom, TIMER, settling("woken.without-timely")) for symptom in (Symptom.STUCK, Symptom.TWICE)),
        (lines.NOTIFIED, lines.SHARE_CHANGED),
        ("The member logs the notification, and its share changes only some 20 s later.",),
        (Sign.UNOWNED, Sign.SHARED),
        (Help("A shorter rocketmq.client.rebalance.waitInterval (20 s as shipped) bounds it."),),
    ),
    Cause(
        "host-vanished",
        "A consumer's host or network vanished without closing its connections: the broker lists it until nothing was "
        "heard of it for two minutes, and its queues are nobody's. Then it may tell the others, or not: its scans "
        "close the connection, and remove the channel, and which of the two is heard of first is open.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    f"until the scan (120 s, looked at every 10 s) and {REBALANCED}",
                    156_000,
                    (*registry("gone"), *settling("settles")),
                ),
                registry("at-once.without-close"),
                shown=registry("as-long"),
            ),
        ),
        (lines.EXPIRED_CHANNEL, lines.CLOSED_CHANNEL),
        ("mqadmin consumerConnection still lists it; consumerStatus has no answer of it.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("A process that dies is gone at once: only hosts and networks take that long.", registry("at-once")),),
    ),
    Cause(
        "good-bye-lost",
        "A consumer was shut down, the broker has not heard of it, and its process goes on with another group, or a "
        "producer, that was registered by the same heartbeat: that one's heartbeats keep it listed, and its queues are "
        "nobody's.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as that process sends heartbeats by that connection"),
                registry("gone.without-other-group"),
            ),
        ),
        (lines.EXPIRED_CHANNEL, lines.CLOSED_CHANNEL),
        ("mqadmin consumerConnection still lists it; consumerStatus has no answer of it.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("Restart that process."),),
    ),
    Cause(
        "start-threw",
        "start() of a consumer threw, after its client instance had been started, and the process goes on: up to 5.3.1 "
        "the consumer lives on all the same, sends heartbeats, takes its share, and consumes. No other one of its "
        "group can be started in its place there.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "as long as its process runs, and nobody calls its shutdown(): its share is its own, whatever its "
                    "listener can do"
                ),
                ("registry.java_v4_9_to_v5_3_1.not-started",),
                ("registry.java_v5_3_2_to_v5_3_3.not-started",),
            ),
        ),
        (lines.STARTED, lines.SHARE_CHANGED),
        (
            'The log has "start OK", and then what start() has thrown: a route that cannot be had, a subscription that '
            "a broker refuses (checkClientInBroker).",
            "mqadmin consumerConnection lists a member that the application thinks has failed.",
            'Another start() in that process throws: "has been created before".',
        ),
        (Sign.BEHIND,),
        helps=(
            Help("Call shutdown() where start() throws, or end the process."),
            Help("5.3.2 or later, where start() does that itself.", ("registry.java_v5_3_2_to_v5_3_3.not-started",)),
        ),
    ),
    Cause(
        "second-channel",
        "A consumer that reconnected is listed twice, by its old connection and its new one: its id stands twice in "
        "cidAll, and one share is nobody's.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    f"until the old connection is closed, or scanned away (120 s, every 10 s), and {REBALANCED}",
                    156_000,
                    (*registry("once-again"), *settling("settles")),
                ),
                registry("once.without-close", "once.without-order"),
            ),
        ),
        (lines.CONNECTED, lines.CLOSED_CHANNEL, lines.EXPIRED_CHANNEL),
        ("mqadmin consumerConnection: one ClientId with two ClientAddr that differ in the port alone.",),
        (Sign.SAME_ID, Sign.UNOWNED),
        (Help("It passes by itself; where it does not, restart that consumer."),),
    ),
    Cause(
        "broker-comes-back",
        "A broker that restarted knows no consumer until their next heartbeats: whoever asks it is given a short list "
        "or none, and its pulls are refused.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                Lasts(
                    f"until the next routes (30 s), heartbeats (30 s) and {REBALANCED}",
                    86_000,
                    (*registry("routed", "again"), *settling("settles")),
                ),
                registry("listed.without-restart"),
            )
            for symptom in (Symptom.STUCK, Symptom.TWICE)
        ),
        (lines.NO_GROUP, lines.NO_IDS, lines.SHARE_CHANGED),
        ("The broker started just before.",),
        (Sign.UNOWNED, Sign.SHARED),
        (Help("It passes by itself; restart brokers one at a time."),),
    ),
    Cause(
        "starved-timer",
        "One group whose rebalance is slow, as a broker does not answer, holds up the one thread of a process, which "
        "rebalances all its groups.",
        Needs.FAILURE,
        (Effect(Symptom.STUCK, Lasts("as long as what keeps it busy"), shown=settling("as-long")),),
        (lines.NOTIFIED,),
        ("A thread dump shows RebalanceService at work in each of several seconds.",),
        helps=(Help("Fewer groups in a process."),),
        issues=("rocketmq#3138",),
    ),
    Cause(
        "storm",
        "Notifications come one after the other, and up to 5.1 rebalances follow each other without a pause: brokers "
        "and the client are kept busy.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as notifications come"),
                settling("apart")[:1],
                settling("apart")[1:],
            ),
        ),
        (lines.NOTIFIED,),
        ("The client's log has several notifications in a second, all the time.",),
        helps=(Help("Equal subscriptions in a group, so that heartbeats notify nobody; 5.2 or later."),),
        issues=("rocketmq#9115",),
    ),
    Cause(
        "listener-blocks",
        "The listener does not return, or flow control waits for it: no rebalance is at fault.",
        Needs.NOTHING,
        (Effect(Symptom.STUCK, Lasts("as long as the listener takes", by_itself=True)),),
        (),
        (
            'mqadmin consumerStatus: "can\'t consume for a while, maybe blocked".',
            "mqadmin consumerStatus -i ID -s: the thread dump shows where ConsumeMessageThread waits.",
        ),
        (Sign.BLOCKED, Sign.BEHIND, Sign.STANDS),
        (Help("Look at the listener: a call without a timeout, a full pool, a lock."),),
        read=READ,
        modes=PUSHED,
        source="ConsumerRunningInfo.analyzeProcessQueue, DefaultMQPushConsumerImpl.pullMessage",
    ),
)
