"""Causes in the change of a queue's owner, which occur with default settings whenever a consumer comes or goes."""

from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import (
    SUSPENDING,
    TIMER,
    WITHOUT_SUSPEND,
    Cause,
    Effect,
    Help,
    Lasts,
    Needs,
    Symptom,
)
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, of_node, offsets, ordered, transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]


AGAIN = (
    "until the new owner gets the lock. The new owner asks for it in each rebalance: every 20 s up to 4.9 and in Go, "
    "0.5 s after a denial in 5.0 and 5.1, every second from 5.2 on"
)
SOONER = Help(
    "Set rocketmq.client.rebalance.waitInterval below 20 s on every consumer, so that the old owner tries again "
    "sooner. Each rebalance then queries the members of each group once per topic.",
    short="Set rocketmq.client.rebalance.waitInterval below 20 s on every consumer.",
)

SETTLE = Help(
    "Run `rebalance safe`: it lists the timeouts that you can change without two listeners running on one queue."
)

CAUSES = (
    Cause(
        "hand-over",
        "The new owner of a queue consumes again the messages that the old owner had not committed.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("at each change of owner", event=True),
                (*offsets("once"), *of_node("once")),
                bounds=(*offsets("only-uncommitted"), *of_node("only-uncommitted"), *offsets("hand-over")),
            ),
        ),
        (lines.REMOVED, lines.ADDED, lines.NOT_COUNTED, lines.NOT_BEGUN),
        (
            "Within seconds, one member logs the queue as removed and another logs it as added. The duplicates begin "
            "at the offset committed at that time.",
            "If messages are redelivered all the time, either queues keep changing owners, or the cause is a different "
            "one.",
        ),
        (),
        (
            Help(
                "Make the listener idempotent. No setting gives exactly-once delivery.",
                short="Make the listener idempotent.",
            ),
            Help(
                "Shorten persistConsumerOffsetInterval (5 s by default). Before the process ends, call suspend(), wait "
                "30 s for outstanding pulls, and let the consumer finish the pulled messages. Then call shutdown() "
                "while no listener runs.",
                short="Shorten persistConsumerOffsetInterval (5 s by default); before shutdown(), call suspend(), "
                "wait 30 s, and let the consumer finish its messages.",
                clients=SUSPENDING,
            ),
        ),
    ),
    Cause(
        "hand-over-ordered",
        "The new owner of an ordered queue consumes again a batch that the old owner had not committed.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("at each change of an ordered queue's owner", event=True),
                in_order("once"),
                bounds=in_order("one-batch"),
            ),
        ),
        (lines.REMOVED, lines.ADDED),
        ("Within seconds, one member logs the queue as removed and another logs it as added.",),
        helps=(
            Help(
                "Make the listener idempotent. Before the process ends, call suspend(), wait 30 s for outstanding "
                "pulls, and call shutdown() while no listener runs.",
                short="Make the listener idempotent; before shutdown(), call suspend(), wait 30 s, and let the "
                "running listener return.",
                clients=SUSPENDING,
            ),
            Help("Make the listener idempotent.", clients=WITHOUT_SUSPEND),
        ),
    ),
    Cause(
        "waits-for-crashed",
        "The last owner of an ordered queue crashed, and no consumer gets the queue's lock until it expires at the "
        "broker.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(AGAIN, way=Way.CRASHED),
                shown=ordered("kept-so-long"),
                bounds=ordered("let-go"),
            ),
        ),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.LOCK_RAN_OUT, lines.NOT_LOCKED),
        ("The broker's lock.log names the lock's holder. mqadmin consumerConnection does not list that client.",),
        (Sign.NOT_LOCKED, Sign.UNOWNED, Sign.BEHIND, Sign.STANDS),
        (Help("Lower rocketmq.broker.rebalance.lockMaxLiveTime of the broker."), SETTLE),
    ),
    Cause(
        "waits-for-living",
        "The old owner of an ordered queue is alive, but releases the lock later than the new owner asks for it. It "
        "releases the lock in a rebalance after its listener has returned; up to 5.1, another 20 s later if messages "
        "were cached. The Go client does not release it, so the lock has to expire.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(AGAIN, way=Way.ALIVE),
                transition("unlocked.push-orderly.when-unlocks-arrive", "4_9", "5_0"),
                shown=ordered("kept-so-long"),
                bounds=ordered("let-go"),
            ),
        ),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.STILL_CONSUMING, lines.UNLOCKS_LATER, lines.UNLOCKED),
        ("The broker's lock.log names the lock's holder. mqadmin consumerConnection lists that client.",),
        (Sign.NOT_LOCKED, Sign.UNLOCK_FAILED, Sign.DROPPED, Sign.UNOWNED),
        (
            Help("Use shorter batches (consumeMessageBatchMaxSize), so that the listener does not delay the release."),
            SOONER,
            SETTLE,
        ),
        ("rocketmq-client-go#1220",),
    ),
    Cause(
        "marked-until-timer",
        "The old owner of an ordered queue releases it only at its next timer rebalance, because its listener was "
        "running when a consumer joined. It marks the ProcessQueue as dropped, waits 0.5 s for the listener, and then "
        "counts as balanced. So it does not retry sooner, however soon the listener returns.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until the old owner's next rebalance (26 s), the new owner's next lock request (1 s), and its "
                    f"first pull (0.5 s). The listener must have returned by then. {TIMER}",
                    27_500,
                ),
            ),
        ),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.UNLOCKS, lines.REMOVED),
        (
            "The new owner's lock request is denied every second. About 20 s after the first denial, the old owner "
            "logs the unlock and the removal. It does not log that its first attempt failed.",
            "mqadmin consumerStatus -i ID shows droped=true for the queue at the old owner.",
            'mqadmin consumerStatus prints "unlock N times, still failed".',
        ),
        (Sign.DROPPED, Sign.UNLOCK_FAILED, Sign.BEHIND, Sign.STANDS),
        (
            SOONER,
            Help("Use batches that take less than half a second (consumeMessageBatchMaxSize)."),
        ),
        read=("5.2.0", "5.3.0", "5.3.3", "5.5.0"),
        modes=("push orderly",),
        source="RebalanceService.run; RebalanceImpl.getWorkingMessageQueue; "
        "RebalancePushImpl.tryRemoveOrderMessageQueue",
    ),
    Cause(
        "waits-for-shut-down",
        "The last owner of an ordered queue was shut down, and the new owner has to wait for the lock. It gets the "
        "lock at its next rebalance or, if the lock was not released, when the lock expires.",
        Needs.NOTHING,
        (Effect(Symptom.STUCK, Lasts(AGAIN, way=Way.SHUT)),),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.LOCK_RAN_OUT),
        ("The broker's lock.log names the lock's holder. mqadmin consumerConnection does not list that client.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("Shut a consumer down while no listener runs and none of its queues is about to move."),),
    ),
    Cause(
        "lock-left-at-shutdown",
        "A lock left by a shut-down member with a delayed unlock blocks an ordered queue until the lock expires. The "
        "member gave up the queue with cached messages, so it delayed the unlock by 20 s (up to 5.1.4). It shut down "
        "before that, and shutdown() unlocks only queues in its table.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(AGAIN, way=Way.SHUT),
                (
                    *transition("unlocked.push-orderly.when-unlocks-arrive", "4_9", "5_0"),
                    *ordered("given-back.without-pending", "java_v4_9"),
                ),
                transition("unlocked.push-orderly.when-unlocks-arrive", "5_2"),
                shown=ordered("kept-so-long", "java_v4_9", "java_v5_0"),
                bounds=ordered("let-go", "java_v4_9", "java_v5_0"),
            ),
        ),
        (lines.UNLOCKS_LATER, lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.LOCK_RAN_OUT),
        (
            'The shut-down member logs "unlockDelay, begin" for the queue less than 20 s before its end, and never '
            '"unlockDelay, execute at once".',
            "The broker's lock.log names the lock's holder. mqadmin consumerConnection does not list that client.",
        ),
        (Sign.UNOWNED, Sign.BEHIND),
        (
            Help(
                "Wait between restarts: `rebalance settle --event rolling` gives the distance.",
            ),
            Help("Lower rocketmq.client.unlockDelayTimeMills on every consumer, to delay the unlock less."),
        ),
    ),
    Cause(
        "unlock-lost",
        "The unlock request for an ordered queue was lost or not sent, so no consumer gets the lock until it expires.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.STUCK,
                Lasts(AGAIN, way=Way.LOST),
                transition("unlocked.push-orderly", "5_2"),
                bounds=ordered("let-go"),
            ),
        ),
        (lines.UNLOCKS, lines.LOCK_DENIED, lines.LOCKED_BY_OTHER),
        ("The client logs the unlock; the broker does not.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("Lower rocketmq.broker.rebalance.lockMaxLiveTime of the broker."), SETTLE),
    ),
)
