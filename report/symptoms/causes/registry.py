"""Causes in the broker's registry of consumers, in their subscriptions, and in the broker's notifications."""

from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import TIMER, Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import first_pulls, registry, settling, subscriptions
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

READ = ("4.9.8", "5.3.3", "5.5.0")
PUSHED = ("push", "push orderly")

REBALANCED = "the next rebalance (26 s)"
AT_TIMER = Lasts(
    f"until the timer's next rebalance ends. {TIMER}",
    26_000,
    settling("settles"),
)
PARKED = ("settling.java_v5_5_1.woken",)
"""Claim about the rebalance thread that parks: no wake-up is lost."""
OWN_RECORD = ("registry.java_v5_5_1.gone",)
"""Claim about brokers on which each group has its own record of a connection."""

CAUSES = (
    Cause(
        "subscriptions-overwritten",
        "Members subscribe to different topics, and each heartbeat replaces the whole group's topics at the broker. "
        "The broker then refuses pulls for the other topics. Each member sends a heartbeat every 30 s.",
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
            "The broker refuses the pulls of both members in turn. They retry after 1 s.",
            'mqadmin consumerStatus prints "WARN: Different subscription in the same group of consumer!!!".',
        ),
        (Sign.SUBSCRIPTIONS, Sign.NO_SUBSCRIPTION, Sign.BEHIND),
        (
            Help(
                "Use one group for each set of topics, so that all members have the same subscription.",
                subscriptions("calm", "accepted"),
            ),
            Help(
                "Set postSubscriptionWhenPull: pulls then carry their expression, and the broker does not check them "
                "against its table. Notifications continue.",
                subscriptions("posted"),
                short="Set postSubscriptionWhenPull: the broker then does not check pulls against its table.",
            ),
        ),
        ("rocketmq#351",),
    ),
    Cause(
        "subscription-not-latest",
        "After a consumer's share changes, a broker refuses its pulls until the heartbeat with the new subscription "
        "version arrives. The consumer's new queues and its old ones are both affected. Up to 4.9, the client pulls "
        "before its heartbeat, so a moved queue may wait for 1 s. From 5.0 on, it pulls 0.5 s later. The pull is "
        "refused if the heartbeat takes longer, or was skipped because another heartbeat of the process was running.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until a heartbeat has reached all brokers, and 1 s more. Each broker that does not answer takes 3 "
                    "s. If another heartbeat was running, it takes twice that, plus the time until the next heartbeat "
                    "(30 s)",
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
            "Up to 4.9, refusals follow many queue moves to concurrent listeners, at most one per queue, and end by "
            "themselves.",
            "From 5.0 on, a consumer that has just joined is refused repeatedly. The first broker that gets its "
            "heartbeat notifies it too, and it rebalances while that heartbeat still holds the heartbeat lock.",
        ),
        helps=(
            Help("Do nothing, unless it persists: then heartbeats do not reach that broker."),
            Help(
                "Set postSubscriptionWhenPull: the broker then does not check pulls against its table.",
                subscriptions("posted"),
            ),
            Help("Upgrade to 5.0 or later, where first pulls come after the heartbeat.", first_pulls("first-pull")),
        ),
    ),
    Cause(
        "heartbeat-v2",
        "With heartbeat V2 (com.rocketmq.heartbeat.v2, off by default), a broker that lost a client's subscription "
        "does not get it again, and refuses its pulls. Heartbeats omit subscriptions that the client believes the "
        "broker has. The broker may have forgotten the group, or missed a change. If members subscribe to different "
        "topics, a topic that another member's heartbeat removed returns with the second heartbeat after it, not with "
        "the next one.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until the client's queues change while no heartbeat of its process is running, or until another "
                    "member's heartbeat brings the missing subscription"
                ),
                subscriptions("accepted", "accepted.forgotten", "answered", v2=True),
                bounds=subscriptions("answered-later", v2=True),
            ),
        ),
        (lines.NOT_SUBSCRIBED, lines.NO_GROUP, lines.NOT_LATEST, lines.PULL_FAILED),
        ("Just before, the broker restarted, lost all connections of the group, or a share changed.",),
        (Sign.BEHIND,),
        (
            Help("Leave com.rocketmq.heartbeat.v2 off.", subscriptions("accepted", "accepted.forgotten")),
            Help("Restart the consumer: its first heartbeat has the subscriptions."),
        ),
    ),
    Cause(
        "lost-notification",
        "A member misses a change of the group until its next rebalance, because the broker's notification was lost or "
        "never sent. The broker sends a notification once. It sends none if a scan removed the channel before the "
        "broker learned of the closed connection, or if notifications are switched off.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                AT_TIMER,
                registry("told.without-close", "told.without-notifications", "told-late.without-whole"),
                shown=settling("as-long"),
            )
            for symptom in (Symptom.STUCK, Symptom.TWICE)
        ),
        (lines.NOTIFIED, lines.SHARE_CHANGED),
        ("The other members log the notification, and this member does not.",),
        (Sign.UNOWNED, Sign.SHARED),
        (Help("Run fewer groups in one process: one thread rebalances all of them."),),
    ),
    Cause(
        "lost-wake-up",
        "A notification arrives just when the client's rebalance thread begins to wait, so the thread does not wake "
        "up. It also ignores every other notification during that wait.",
        Needs.FAILURE,
        tuple(
            Effect(symptom, AT_TIMER, settling("woken.without-timely"), PARKED)
            for symptom in (Symptom.STUCK, Symptom.TWICE)
        ),
        (lines.NOTIFIED, lines.SHARE_CHANGED),
        ("The member logs the notification, but its share changes only about 20 s later.",),
        (Sign.UNOWNED, Sign.SHARED),
        (
            Help("Shorten rocketmq.client.rebalance.waitInterval (20 s by default), which limits the delay."),
            Help("Upgrade clients to 5.5.1 or later, whose thread loses no wake-up.", PARKED),
        ),
    ),
    Cause(
        "host-vanished",
        "A consumer's host or network vanished without closing its connections, and the broker lists it until two "
        "minutes after its last heartbeat. Meanwhile, no consumer reads its queues. Afterwards the broker may or may "
        "not notify the others: its scans close the connection and remove the channel, in either order.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    f"until the scan (120 s without a heartbeat, checked every 10 s) and {REBALANCED}. {TIMER}",
                    156_000,
                    (*registry("gone"), *settling("settles")),
                ),
                registry("at-once.without-close"),
                shown=registry("as-long"),
            ),
        ),
        (lines.EXPIRED_CHANNEL, lines.CLOSED_CHANNEL),
        ("mqadmin consumerConnection still lists the consumer, but consumerStatus gets no answer from it.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "No fix is needed for a crashed process, which the broker removes at once. Only a vanished host or "
                "network takes this long.",
                registry("at-once"),
                short="Do nothing for a crashed process: the broker removes it at once.",
            ),
        ),
    ),
    Cause(
        "good-bye-lost",
        "A consumer was shut down but stays listed, because the broker missed its unregister request and the process "
        "still sends heartbeats. These belong to another group or a producer registered by the same heartbeat. No "
        "consumer reads the queues of the listed consumer.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as the process sends heartbeats over that connection"),
                (*registry("gone.without-other-group"), "registry.java_v5_5_1_heartbeat_v2.gone.without-other-group"),
                OWN_RECORD,
            ),
        ),
        (lines.EXPIRED_CHANNEL, lines.CLOSED_CHANNEL),
        ("mqadmin consumerConnection still lists the consumer, but consumerStatus gets no answer from it.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help("Restart the process."),
            Help(
                "Upgrade brokers to 5.5.1 or later, and leave com.rocketmq.heartbeat.v2 off. The scan then removes the "
                "consumer after two minutes. It also closes the connection of its process, so that all groups of the "
                "process rebalance.",
                OWN_RECORD,
                short="Upgrade brokers to 5.5.1 or later, and leave com.rocketmq.heartbeat.v2 off.",
            ),
        ),
    ),
    Cause(
        "good-bye-overtaken",
        "A consumer was shut down but is listed again, because a broker registered a heartbeat that its process had "
        "begun before. From 4.9.1 on, the client does not wait for a running heartbeat, and the broker handles the two "
        "requests in different threads. No consumer reads the queues of the listed consumer.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    f"until the process ends, or until the scan (120 s without a heartbeat, checked every 10 s) and "
                    f"{REBALANCED}. The scan closes the connection of the whole process. {TIMER}",
                    156_000,
                    (*registry("gone"), *settling("settles")),
                ),
                registry("good-bye.without-in-flight", "good-bye.without-order"),
            ),
        ),
        (lines.EXPIRED_CHANNEL, lines.CLOSED_CHANNEL),
        ("mqadmin consumerConnection lists the consumer again, just after its shutdown.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("Stop the process: this closes its connection, and the broker removes the consumer at once."),),
    ),
    Cause(
        "start-threw",
        "start() of a consumer threw after its client instance had started, and up to 5.3.1 the consumer runs all the "
        "same. It sends heartbeats, takes its share, and consumes while the process runs. No other consumer of its "
        "group can start in that process.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "as long as its process runs without calling its shutdown(). It keeps its share, even if its "
                    "listener cannot work"
                ),
                ("registry.java_v4_9_to_v5_3_1.not-started",),
                ("registry.java_v5_3_2_to_v5_3_3.not-started",),
            ),
        ),
        (lines.STARTED, lines.SHARE_CHANGED),
        (
            'The log shows "start OK" and then the exception of start(): a missing route, or a subscription that a '
            "broker refuses (checkClientInBroker).",
            "mqadmin consumerConnection lists a member that the application considers failed.",
            'Another start() in that process throws "has been created before".',
        ),
        (Sign.BEHIND,),
        helps=(
            Help("Call shutdown() if start() throws, or end the process."),
            Help(
                "Upgrade to 5.3.2 or later, where start() does this itself.",
                ("registry.java_v5_3_2_to_v5_3_3.not-started",),
            ),
        ),
    ),
    Cause(
        "second-channel",
        "A consumer that reconnected is listed twice, once for its old connection and once for its new one. Its id "
        "appears twice in cidAll, and one share has no owner.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    f"until the old connection is closed, or the scan removes it (120 s, checked every 10 s), "
                    f"and {REBALANCED}. {TIMER}",
                    156_000,
                    (*registry("once-again"), *settling("settles")),
                ),
                registry("once.without-close", "once.without-order"),
            ),
        ),
        (lines.CONNECTED, lines.CLOSED_CHANNEL, lines.EXPIRED_CHANNEL),
        ("mqadmin consumerConnection lists one ClientId with two ClientAddr that differ only in the port.",),
        (Sign.SAME_ID, Sign.UNOWNED),
        (
            Help(
                "Wait: it ends by itself. If it does not, restart that consumer.",
                short="Wait until it ends by itself, or restart that consumer.",
            ),
        ),
    ),
    Cause(
        "broker-comes-back",
        "A restarted broker knows no consumer until the next heartbeats, so it answers with a short or empty member "
        "list, and refuses pulls.",
        Needs.FAILURE,
        tuple(
            Effect(
                symptom,
                Lasts(
                    f"until the next route poll (30 s), heartbeat (30 s) and rebalance (26 s). {TIMER}",
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
        (
            Help(
                "Wait: it ends by itself. Restart brokers one at a time.",
                short="Restart brokers one at a time, and wait: it ends by itself.",
            ),
        ),
    ),
    Cause(
        "starved-timer",
        "One group's slow rebalance holds up all groups of the process, because one thread rebalances them all. The "
        "rebalance is slow because a broker does not answer.",
        Needs.FAILURE,
        (Effect(Symptom.STUCK, Lasts("as long as the rebalance thread is busy"), shown=settling("as-long")),),
        (lines.NOTIFIED,),
        ("Several thread dumps, seconds apart, show RebalanceService at work.",),
        helps=(Help("Run fewer groups in a process."),),
        issues=("rocketmq#3138",),
    ),
    Cause(
        "storm",
        "Notifications arrive one after another, and up to 5.1, rebalances follow each other without a pause (a "
        "rebalance storm). Brokers and clients are kept busy.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as notifications arrive"),
                settling("apart")[:1],
                settling("apart")[1:],
            ),
        ),
        (lines.NOTIFIED,),
        ("The client logs several notifications per second, all the time.",),
        helps=(
            Help(
                "Use equal subscriptions in a group, so that heartbeats cause no notifications. Or upgrade to 5.2 "
                "or later.",
                short="Use equal subscriptions in a group, or upgrade to 5.2 or later.",
            ),
        ),
        issues=("rocketmq#9115",),
    ),
    Cause(
        "listener-blocks",
        "The listener does not return, or flow control waits for it; rebalancing is not the cause.",
        Needs.NOTHING,
        (Effect(Symptom.STUCK, Lasts("as long as the listener runs", by_itself=True)),),
        (),
        (
            'mqadmin consumerStatus prints "can\'t consume for a while, maybe blocked".',
            "mqadmin consumerStatus -i ID -s prints a thread dump, which shows where ConsumeMessageThread waits.",
        ),
        (Sign.BLOCKED, Sign.BEHIND, Sign.STANDS),
        (Help("Check the listener for a call without a timeout, an exhausted pool, or a lock."),),
        read=READ,
        modes=PUSHED,
        source="ConsumerRunningInfo.analyzeProcessQueue, DefaultMQPushConsumerImpl.pullMessage",
    ),
)
