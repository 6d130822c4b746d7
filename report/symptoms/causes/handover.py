"""Effects of a queue that changes hands, with settings as shipped, whenever a consumer comes or goes."""

from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, of_node, offsets, ordered, transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]


AGAIN = (
    "until it has the lock, for which each rebalance of the new owner asks: every 20 s up to 4.9 and in Go, half a "
    "second after it was denied in 5.0 and 5.1, every second from 5.2 on"
)
SOONER = Help(
    "A shorter rocketmq.client.rebalance.waitInterval of every consumer (20 s as shipped): the old owner tries again "
    "after that time. Each rebalance asks for the members of each group, once a topic."
)

SETTLE = Help("`rebalance safe` tells which limits of time can be changed without two listeners on one queue.")

CAUSES = (
    Cause(
        "hand-over",
        "What was not committed when a queue changed hands is consumed again by its new owner.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("each time that a queue changes hands", event=True),
                (*offsets("once"), *of_node("once")),
                bounds=(*offsets("only-uncommitted"), *of_node("only-uncommitted"), *offsets("hand-over")),
            ),
        ),
        (lines.REMOVED, lines.ADDED, lines.NOT_COUNTED, lines.NOT_BEGUN),
        (
            "The two members log, within seconds, that the queue was taken away and added; what is read twice begins "
            "at the offset that was committed then.",
            "Where it is read twice all the time, queues keep changing hands, or it is something else.",
        ),
        (),
        (
            Help("An idempotent listener, which can get a message twice: no setting makes it exactly once."),
            Help(
                "A shorter persistConsumerOffsetInterval (5 s as shipped); shutdown() before the process ends, when no "
                "listener runs: suspend() it 30 s before (a pull that was sent is answered by then), and let it "
                "consume what it has pulled."
            ),
        ),
    ),
    Cause(
        "hand-over-ordered",
        "A batch that the old owner of an ordered queue had not committed is consumed again by the new one.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.TWICE,
                Lasts("each time that an ordered queue changes hands", event=True),
                in_order("once"),
                bounds=in_order("one-batch"),
            ),
        ),
        (lines.REMOVED, lines.ADDED),
        ("The two members log, within seconds, that the queue was taken away and added.",),
        helps=(
            Help(
                "An idempotent listener; suspend(), 30 s for pulls that were sent, and shutdown() when no listener "
                "runs."
            ),
        ),
    ),
    Cause(
        "waits-for-crashed",
        "The last owner of an ordered queue has crashed: nobody gets its lock before it has run out at the broker.",
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
        ("The broker names the client that has the lock: it is none of mqadmin consumerConnection.",),
        (Sign.NOT_LOCKED, Sign.UNOWNED, Sign.BEHIND, Sign.STANDS),
        (Help("A lower rocketmq.broker.rebalance.lockMaxLiveTime of the broker."), SETTLE),
    ),
    Cause(
        "waits-for-living",
        "The last owner of an ordered queue lives, and gives its lock up later than the new one asks for it: at a "
        "rebalance after its listener has returned, up to 5.1 another 20 s later where messages were cached; in Go not "
        "at all, so that it has to run out.",
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
        ("The broker names the client that has the lock, which is one of mqadmin consumerConnection.",),
        (Sign.NOT_LOCKED, Sign.UNLOCK_FAILED, Sign.DROPPED, Sign.UNOWNED),
        (Help("Shorter batches (consumeMessageBatchMaxSize), so that the listener is not in the way."), SOONER, SETTLE),
        ("rocketmq-client-go#1220",),
    ),
    Cause(
        "marked-until-timer",
        "A consumer joined while the listener of a queue ran that is its own now. The old owner marks the entry, waits "
        "half a second for the listener, and then counts as one that has nothing left to do: it tries again at its "
        "next rebalance alone, by its timer, however soon the listener returns.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "where the listener returns by then, until the old owner's next rebalance (20 s, and twice one of "
                    "all groups: 26 s where that takes 3 s), the new one's next request for the lock, a second later, "
                    "and its first pull, half a second later",
                    27_500,
                ),
            ),
        ),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.UNLOCKS, lines.REMOVED),
        (
            "The new owner is denied the lock every second; some 20 s after the first time the old one logs that it "
            "gave the lock back and removed the queue. That it could not before it does not log.",
            "mqadmin consumerStatus -i ID, of the old owner: the queue's entry has droped=true.",
            'mqadmin consumerStatus: "unlock N times, still failed".',
        ),
        (Sign.DROPPED, Sign.UNLOCK_FAILED, Sign.BEHIND, Sign.STANDS),
        (
            SOONER,
            Help("Batches that take less than half a second (consumeMessageBatchMaxSize)."),
        ),
        read=("5.2.0", "5.3.0", "5.3.3"),
        modes=("push orderly",),
        source="RebalanceService.run; RebalanceImpl.getWorkingMessageQueue; "
        "RebalancePushImpl.tryRemoveOrderMessageQueue",
    ),
    Cause(
        "waits-for-shut-down",
        "The last owner of an ordered queue was shut down: the new one gets the lock at its next rebalance, or when it "
        "has run out, if it was not given back.",
        Needs.NOTHING,
        (Effect(Symptom.STUCK, Lasts(AGAIN, way=Way.SHUT)),),
        (lines.LOCK_DENIED, lines.LOCKED_BY_OTHER, lines.LOCK_RAN_OUT),
        ("The broker names the client that has the lock: it is none of mqadmin consumerConnection.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("Shut a consumer down when no queue of its is about to go, and no listener runs."),),
    ),
    Cause(
        "unlock-lost",
        "The return of an ordered queue's lock was lost, or could not be sent: nobody gets it before it has run out.",
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
        ("The client logs that it gave the lock back; the broker does not.",),
        (Sign.UNOWNED, Sign.BEHIND),
        (Help("A lower rocketmq.broker.rebalance.lockMaxLiveTime of the broker."), SETTLE),
    ),
)
