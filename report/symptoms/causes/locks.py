"""Locks of ordered queues: two listeners at once, and locks that nobody uses."""

from dataclasses import replace

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.limits import DEFAULTS
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import EACH, ordered, transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

JAVA = tuple(f"java_v{one}" for one in EACH)
RETURNS = Lasts("until the first of the two listeners returns", by_itself=True)
ONE_MORE = Lasts(
    "until the first of the two listeners returns; the consumer that is shut down may have called its own just before "
    "it gave the lock back, which is interrupted no more, and takes all its time",
    by_itself=True,
)
SAFE = Help("`rebalance safe --client VERSION --listener TIME` says which setting excludes it.", ordered("exclusive"))
WAITS = Help(
    "suspend() it, wait until each pull that was sent before is answered (30 s), let it consume what it has pulled, "
    "and shut it down then. Or, in Java, an awaitTerminationMillisWhenShutdown that is long enough: up to 4.9 longer "
    "than lockMaxLiveTime (30 s) and one "
    "call; from 5.0 on longer than maxTimeConsumeContinuously (60 s, "
    "-Drocketmq.client.maxTimeConsumeContinuously) and one call. To be longer than one call is not enough: "
    "`rebalance safe` tells the least.",
    ordered("exclusive", *JAVA),
)
TWO_OWNERS = (
    "Two members log the same message within the listener's time; the broker's lock.log names the client that got it."
)

REBALANCE = 20_000
"""Time between rebalances, in ms."""
KEPT = number(DEFAULTS.broker + DEFAULTS.late)
"""Longest time for which the broker keeps a lock for nobody's use, in ms."""
STRAY = Lasts(
    "until the lock has run out: rocketmq.broker.rebalance.lockMaxLiveTime (60 s) after the last moment at which a "
    "request of that client for it can arrive, which may be a second later for each broker that its renewals ask "
    "before; and then the next rebalance asks for it (20 s up to 4.9 and in Go, a second from 5.0 on)",
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
        "The lock of a queue that is taken away was last renewed 20 s ago or more: it is given back under the running "
        "listener, and another consumer's listener begins.",
        Needs.NOTHING,
        _twice(
            *transition("listener.push-orderly", "5_2"),
            *ordered("exclusive.without-time", "java_v5_2"),
            *ordered("exclusive.renewed-as-shipped", "java_v5_2"),
            proved=transition("listener.push-orderly", "4_9", "5_0"),
        ),
        (lines.REMOVED, lines.UNLOCKS, lines.UNLOCKED, lines.LOCKS_FAILED),
        (TWO_OWNERS, "No 500 ms lie between the mark and the unlock: nobody waited for the listener."),
        (),
        (
            Help(
                "-Drocketmq.client.unlockDelayTimeMills of every consumer: at least lockMaxLiveTime and the longest "
                "listener together.",
                ordered("exclusive", "java_v5_2"),
            ),
            SAFE,
        ),
    ),
    Cause(
        "slow-listener",
        "The listener takes longer than the limits of the lock allow for: the broker gives the lock to another "
        "consumer while it runs.",
        Needs.SETTING,
        _twice(*ordered("exclusive.without-time")),
        (lines.LOCK_RAN_OUT, lines.NOT_RENEWED, lines.LOCKS_FAILED),
        (TWO_OWNERS,),
        (Sign.BLOCKED,),
        (SAFE, Help("Smaller batches (consumeMessageBatchMaxSize), or less work in each.")),
    ),
    Cause(
        "shut-down-under-listener",
        "A consumer that is shut down goes on with the messages that it has, and does not wait for that, as is the "
        "default: it interrupts its listener, which it may call again, and gives its locks back; another "
        "consumer's listener begins.",
        Needs.NOTHING,
        (Effect(Symptom.TWICE, ONE_MORE, ordered("exclusive.without-shutdown"), ()),),
        (lines.UNLOCKED, lines.ADDED),
        (
            TWO_OWNERS,
            "One of the two was being shut down; its call may have begun after that, and is not interrupted then.",
        ),
        (),
        (WAITS,),
    ),
    Cause(
        "delayed-unlock",
        "The return of a lock that was put off for 20 s meets the queue's next entry: the lock is free under a running "
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
        (TWO_OWNERS, "unlockDelay, execute at once stands in the client's log after the queue was added again."),
        (),
        (Help("Fewer rebalances in a row, as of a rolling restart: 20 s and more between two."),),
    ),
    Cause(
        "unlock-overtaken",
        "The return of a lock is overtaken by the same consumer's next request for it, and takes that one's lock back.",
        Needs.FAILURE,
        _twice(
            *ordered("exclusive.without-overtaken", *JAVA),
            proved=ordered("exclusive.without-overtaken", "go"),
        ),
        (lines.UNLOCKED,),
        (TWO_OWNERS,),
        (),
        (Help("Fewer rebalances in a row; nothing else is known."),),
    ),
    Cause(
        "unsubscribed-under-listener",
        "The topic is unsubscribed, and subscribed again, while its listener runs.",
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
                "suspend() it; wait until each pull that was sent before is answered (30 s), it has no cached "
                "messages, and its listener has returned; unsubscribe; resume()."
            ),
        ),
    ),
    Cause(
        "broker-restarted",
        "The broker restarted, or another one took its place, and knows no locks any more: it gives one to a second "
        "consumer.",
        Needs.FAILURE,
        _twice(*ordered("exclusive.without-restart")),
        (lines.NO_GROUP, lines.NOT_RENEWED),
        (TWO_OWNERS, "The broker started just before."),
        (),
        (Help("An idempotent listener, or one whose effects check the order themselves."),),
    ),
    Cause(
        "stray-lock",
        "The query for the offset failed after the lock was granted: no entry is made, and the lock stays with that "
        "client, also when the queue goes to another.",
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
        (Help("Brokers that answer; a restart of the client that has the lock changes nothing."),),
    ),
    Cause(
        "unsubscribed-lock",
        "Unsubscribing a topic leaves the locks of its queues behind.",
        Needs.SETTING,
        (Effect(Symptom.STUCK, STRAY, transition("unsubscribed-lock.push-orderly")),),
        (lines.TRUNCATED, lines.LOCK_DENIED, lines.LOCKED_BY_OTHER),
        (),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "Shut the consumer down instead: it gives its locks back then (from 5.0 on it can take them again in "
                "the same moment).",
                ordered("given-back", "java_v4_9"),
            ),
        ),
    ),
    Cause(
        "locked-again-at-shutdown",
        "A consumer that is shut down gives its locks back, and its second renewer, which goes on, takes them again "
        "before its table is empty: nobody reads its queues.",
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
        ("The client that lock.log names as the other one has been shut down, and gave the lock back just before.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "A consumer that starts again under the same client id (the same host and a fixed instanceName) has "
                "its locks at once; for others nothing is known."
            ),
        ),
    ),
    Cause(
        "not-locked-yet",
        "A new entry does not know that its lock was granted: its listener waits for the next renewal.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("until the next renewal of the lock, every 20 s", way=Way.FREE),
                transition("knows-lock.push-orderly", "4_9_0", "4_9_1"),
                transition("knows-lock.push-orderly"),
            ),
        ),
        (lines.PULL_WAITS,),
        (),
        (Sign.NOT_LOCKED,),
        (Help("A client in which it is repaired.", transition("knows-lock.push-orderly")),),
    ),
    Cause(
        "static-topic",
        "The locks of a static topic's queues are not renewed: after 30 s no listener begins.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as the topic is static"),
                transition("renewed.push-orderly", "5_0", "5_2"),
            ),
        ),
        (lines.LOCK_EXPIRED,),
        ("mqadmin consumerProgress: the broker's name begins with __syslo__.",),
        (Sign.NOT_LOCKED,),
        (Help("A topic that is not static.", transition("renewed.push-orderly.when-its-topic-is-not-static")),),
    ),
    Cause(
        "broadcasting-takes-locks",
        "A broadcasting consumer with an ordered listener takes the group's lock: the others wait for it.",
        Needs.SETTING,
        (
            Effect(
                Symptom.STUCK,
                Lasts("as long as the consumer that has the lock lives"),
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
        (Help("A group of its own for each such consumer; a concurrent listener; a later client."),),
    ),
)
