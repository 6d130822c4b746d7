"""Causes in the locks of ordered queues: two listeners on one queue, and locks that remain without a user."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.limits import DEFAULTS
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import SUSPENDING, Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import EACH, UNSUBSCRIBING, ordered, transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

JAVA = tuple(f"java_v{one}" for one in EACH)
RETURNS = Lasts("until the first of the two listeners returns", by_itself=True)
ONE_MORE = Lasts(
    "until the first of the two listeners returns. The consumer that shuts down may have called its listener just "
    "before it released the lock. That call is not interrupted and runs to its end",
    by_itself=True,
)
SAFE = Help(
    "Run `rebalance safe --client VERSION --listener TIME`, which prints the settings that prevent it.",
    ordered("exclusive"),
)
WAITS = Help(
    "Call suspend(), wait 30 s for outstanding pulls, let the consumer finish the pulled messages, and then shut it "
    "down. Or, in Java, set a long awaitTerminationMillisWhenShutdown. Up to 4.9, it must exceed lockMaxLiveTime (30 "
    "s) plus one listener call. From 5.0 on, it must exceed maxTimeConsumeContinuously (60 s, "
    "-Drocketmq.client.maxTimeConsumeContinuously) plus one call. One call alone is too short; `rebalance safe` prints "
    "the minimum.",
    ordered("exclusive", *JAVA),
    short="Call suspend(), wait 30 s, and let the consumer finish its messages before shutdown(), or in Java "
    "set awaitTerminationMillisWhenShutdown as `rebalance safe` prints.",
    clients=SUSPENDING,
)
TWO_OWNERS = (
    "Two members log the same message within the listener's running time. The broker's lock.log names the client that "
    "got the lock."
)

REBALANCE = 20_000
"""Time between rebalances, in ms."""
KEPT = number(DEFAULTS.broker + DEFAULTS.late)
"""Time in ms after which the broker releases a lock that was not renewed."""
STRAY = Lasts(
    "until the lock expires at the broker and the next rebalance asks for it. The lock expires "
    "rocketmq.broker.rebalance.lockMaxLiveTime (60 s) after the last moment at which a lock request of the client can "
    "arrive. A request may be a second late for each broker that the renewals ask first. The next rebalance comes "
    "after 20 s up to 4.9 and in Go, after a second from 5.0 on",
    KEPT + REBALANCE,
    ordered("let-go"),
    REBALANCE,
)


SOON = 1_000
"""Time until the next rebalance after a lock was denied, from 5.0 on, in ms."""


def _twice(*refuted: str, proved: tuple[str, ...] = ()) -> tuple[Effect, ...]:
    return (Effect(Symptom.TWICE, RETURNS, refuted, proved),)


CAUSES = (
    Cause(
        "forced-unlock",
        "The old owner of a queue unlocks it under its running listener, because the lock was last renewed 20 s ago or "
        "more. Another consumer's listener then starts.",
        Needs.NOTHING,
        _twice(
            *transition("listener.push-orderly", "5_2"),
            *ordered("exclusive.without-time", "java_v5_2"),
            *ordered("exclusive.renewed-as-shipped", "java_v5_2"),
            proved=transition("listener.push-orderly", "4_9", "5_0"),
        ),
        (lines.REMOVED, lines.UNLOCKS, lines.UNLOCKED, lines.LOCKS_FAILED),
        (
            TWO_OWNERS,
            "The unlock follows the drop mark in less than 500 ms, so the old owner did not wait for its listener.",
        ),
        (),
        (
            Help(
                "Set -Drocketmq.client.unlockDelayTimeMills of every consumer to at least lockMaxLiveTime plus the "
                "longest listener call.",
                ordered("exclusive", "java_v5_2"),
            ),
            SAFE,
        ),
    ),
    Cause(
        "slow-listener",
        "The listener runs longer than the lock's timeouts allow, and the broker gives the lock to another consumer "
        "meanwhile.",
        Needs.SETTING,
        _twice(*ordered("exclusive.without-time")),
        (lines.LOCK_RAN_OUT, lines.NOT_RENEWED, lines.LOCKS_FAILED),
        (TWO_OWNERS,),
        (Sign.BLOCKED,),
        (SAFE, Help("Use smaller batches (consumeMessageBatchMaxSize), or do less work in each.")),
    ),
    Cause(
        "shut-down-under-listener",
        "A consumer that shuts down releases its locks while its listener still runs, and another consumer's listener "
        "starts. By default, the shutdown does not wait. It interrupts the listener, may call it again with the "
        "remaining messages, and releases the locks.",
        Needs.NOTHING,
        (Effect(Symptom.TWICE, ONE_MORE, ordered("exclusive.without-shutdown"), ()),),
        (lines.UNLOCKED, lines.ADDED),
        (
            TWO_OWNERS,
            "One of the two members was shutting down. Its listener call may have begun after the shutdown, and is "
            "then not interrupted.",
        ),
        (),
        (WAITS,),
    ),
    Cause(
        "delayed-unlock",
        "An unlock that was delayed by 20 s comes after the queue has returned, and frees the lock under a running "
        "listener.",
        Needs.NOTHING,
        _twice(
            *transition("late-unlock.push-orderly-as-shipped", "4_9", "5_0"),
            *ordered("exclusive.without-return", "java_v4_9", "java_v5_0"),
            proved=(
                *transition("late-unlock.push-orderly-as-shipped", "5_2"),
                *ordered("exclusive.without-return", "java_v5_2", "go"),
            ),
        ),
        (lines.UNLOCKS_LATER, lines.UNLOCKED),
        (TWO_OWNERS, 'The client logs "unlockDelay, execute at once" after the queue was added again.'),
        (),
        (Help("Leave 20 s or more between two rebalances, for example in a rolling restart."),),
    ),
    Cause(
        "unlock-overtaken",
        "An unlock request arrives after the same consumer's next lock request, and frees the new lock.",
        Needs.FAILURE,
        _twice(
            *ordered("exclusive.without-overtaken", *JAVA),
            proved=ordered("exclusive.without-overtaken", "go"),
        ),
        (lines.UNLOCKED,),
        (TWO_OWNERS,),
        (),
        (
            Help(
                "Avoid several rebalances in a row. No other fix is known.", short="Avoid several rebalances in a row."
            ),
        ),
    ),
    Cause(
        "unsubscribed-under-listener",
        "The topic is unsubscribed and subscribed again while its listener runs.",
        Needs.SETTING,
        _twice(
            *ordered("exclusive.without-unsubscribed", *JAVA),
            proved=ordered("exclusive.without-unsubscribed", "go"),
        ),
        (lines.TRUNCATED,),
        (TWO_OWNERS,),
        (),
        (
            Help(
                "Call suspend(). Wait 30 s for outstanding pulls, and until no messages are cached and the listener "
                "has returned. Then unsubscribe and call resume().",
                short="Call suspend(), wait 30 s and until the listener has returned, then unsubscribe and call "
                "resume().",
                clients=SUSPENDING,
            ),
        ),
    ),
    Cause(
        "broker-restarted",
        "The broker restarted or was replaced, has forgotten all locks, and grants one to a second consumer.",
        Needs.FAILURE,
        _twice(*ordered("exclusive.without-restart")),
        (lines.NO_GROUP, lines.NOT_RENEWED),
        (TWO_OWNERS, "The broker started just before."),
        (),
        (Help("Make the listener idempotent, or let its side effects check the order themselves."),),
    ),
    Cause(
        "stray-lock",
        "The offset query failed after the lock was granted, so the client holds the lock without a ProcessQueue. The "
        "lock stays with that client even if the queue moves to another one.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                STRAY,
                (
                    *transition("no-stray-lock.push-orderly.when-unlocks-arrive"),
                    *transition("stray-lock-freed.push-orderly-as-shipped.when-unlocks-arrive"),
                ),
            ),
        ),
        (lines.NO_START, lines.NO_OFFSET, lines.LOCK_DENIED, lines.LOCKED_BY_OTHER),
        (),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "Make sure that the brokers answer. Restarting the client that holds the lock changes nothing.",
                short="Make sure that the brokers answer.",
            ),
        ),
    ),
    Cause(
        "unsubscribed-lock",
        "Unsubscribing from a topic does not release the locks of its queues.",
        Needs.SETTING,
        (Effect(Symptom.STUCK, STRAY, transition("unsubscribed-lock.push-orderly", *UNSUBSCRIBING)),),
        (lines.TRUNCATED, lines.LOCK_DENIED, lines.LOCKED_BY_OTHER),
        (),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "Shut the consumer down instead, which releases its locks. From 5.0 on, it can take them again at the "
                "same moment.",
                ordered("given-back", "java_v4_9"),
                short="Call shutdown() instead of unsubscribing: up to 4.9, shutdown() releases the locks for good.",
            ),
        ),
    ),
    Cause(
        "locked-again-at-shutdown",
        "A consumer that shuts down releases its locks, but a second renewal task takes them again before its queue "
        "table is empty. No consumer then reads its queues.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                replace(STRAY, most=KEPT + SOON, then=SOON),
                ordered("given-back", "java_v5_0", "java_v5_2"),
                ordered("given-back", "java_v4_9"),
            ),
        ),
        (lines.UNLOCKED, lines.LOCK_DENIED, lines.LOCKED_BY_OTHER),
        ("The holder named in lock.log has been shut down, and released the lock just before.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "Start the consumer again with the same client id (same host and a fixed instanceName): it has its "
                "locks at once. For other consumers, no fix is known.",
                short="Start the consumer again with the same client id (same host and a fixed instanceName).",
            ),
        ),
    ),
    Cause(
        "not-locked-yet",
        "A new ProcessQueue is not marked as locked although its lock was granted, so its listener waits for the next "
        "renewal.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until the next lock renewal (every 20 s)", way=Way.FREE),
                transition("knows-lock.push-orderly", "4_9_0", "4_9_1"),
                transition("knows-lock.push-orderly"),
            ),
        ),
        (lines.PULL_WAITS,),
        (),
        (Sign.NOT_LOCKED,),
        (Help("Upgrade to 4.9.5 or later, where this is fixed.", transition("knows-lock.push-orderly")),),
    ),
    Cause(
        "static-topic",
        "The locks of a static topic's queues are not renewed, so no listener starts after 30 s.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as the topic is static"),
                transition("renewed.push-orderly", "5_0", "5_2"),
                transition("renewed.push-orderly", "5_5"),
            ),
        ),
        (lines.LOCK_EXPIRED,),
        ("mqadmin consumerProgress shows a broker name that begins with __syslo__.",),
        (Sign.NOT_LOCKED,),
        (
            Help("Use a topic that is not static.", transition("renewed.push-orderly.when-its-topic-is-not-static")),
            Help("Upgrade to 5.5.0, which renews them.", transition("renewed.push-orderly", "5_5")),
        ),
    ),
    Cause(
        "broadcasting-takes-locks",
        "A broadcasting consumer with an ordered listener takes the group's lock, and the other consumers wait for it.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as the consumer that holds the lock runs"),
                (
                    *transition("no-group-lock.push-orderly-broadcasting", "4_9", "5_0"),
                    *transition("no-group-lock.push-orderly-broadcasting-up-to-5-3-1", "5_2"),
                ),
                (
                    *transition("no-group-lock.broadcasting-but-not-push-orderly", "4_9", "5_0"),
                    *transition("no-group-lock.broadcasting-but-not-push-orderly-up-to-5-3-1", "5_2"),
                ),
            ),
        ),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER),
        (),
        (Sign.NOT_LOCKED,),
        (Help("Use a separate group for each such consumer, a concurrent listener, or a later client."),),
    ),
)
