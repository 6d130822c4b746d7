"""Changes of a client's table of queues in a rebalance."""

from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import transition
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

STORE_THROWS = (
    "until its pull has expired (120 s) and the next rebalance (20 s) meets no failure; a pull or lite pull consumer's "
    "never expires"
)

CAUSES = (
    Cause(
        "dropped-entry",
        "A queue was taken away while its ordered listener ran, and came back: the dropped entry stays in its place, "
        "and nothing is pulled.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.STUCK,
                Lasts(
                    "until the pull of the old entry has expired, if its listener has returned by then", way=Way.BACK
                ),
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
            "mqadmin consumerStatus -i ID: the queue's entry has droped=true, and an old lastPullTimestamp.",
            'mqadmin consumerStatus: "unlock N times, still failed".',
        ),
        (Sign.DROPPED, Sign.UNLOCK_FAILED, Sign.NOT_PULLED, Sign.BEHIND, Sign.STANDS),
        (
            Help("A restart of that consumer, which has no entries then."),
            Help("Shorter batches (consumeMessageBatchMaxSize); fewer rebalances in a row, as of a rolling restart."),
        ),
    ),
    Cause(
        "expired-pull",
        "Nothing was pulled for two minutes, so that the entry is taken away although the queue stays this client's; "
        "what was not committed is consumed again.",
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
                        "until two minutes without a pull are over, and the next rebalance is done (26 s)",
                        146_000,
                    ),
                ),
                (Symptom.TWICE, Lasts("each time that it happens", event=True)),
            )
        ),
        (lines.NOT_PULLED,),
        ("Again and again, if what keeps it from pulling stays: flow control, a listener that hangs.",),
        (Sign.NOT_PULLED, Sign.BEHIND, Sign.BLOCKED),
        (Help("Look for what kept it from pulling: a thread dump shows where its listener is (-s)."),),
    ),
    Cause(
        "store-throws",
        "An offset store of the user's own throws: the rebalance of the topic ends there, and some queues are left "
        "with a dropped entry, or without a pull.",
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
                Lasts("until a rebalance meets no failure"),
                transition("marked.own-store", "4_9"),
                transition("marked", "5_0", "5_2"),
            ),
        ),
        (),
        ("The client logs an exception of the store: setOffsetStore was called with one of the user's.",),
        (Sign.DROPPED, Sign.SHARED, Sign.NOT_PULLED),
        (
            Help(
                "A store that throws nothing: it logs what fails.",
                (
                    *transition("marked.own-store.when-persist-works", "4_9"),
                    *transition("pulls.push-own-store.when-nothing-unexpected", "5_0", "5_2"),
                ),
            ),
        ),
    ),
    Cause(
        "cannot-commit",
        "What was taken away is not marked as dropped, because its offset could not be sent: the client goes on with "
        "a queue that is another's by now.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("until a rebalance can send it"),
                ("transition.node.marked.clustering",),
                (*transition("marked.as-shipped", "4_9"), *transition("marked", "5_0", "5_2")),
            ),
        ),
        (),
        (),
        (Sign.SHARED,),
        (Help("Brokers that answer.", ("transition.node.marked.when-persist-works",)),),
    ),
)
