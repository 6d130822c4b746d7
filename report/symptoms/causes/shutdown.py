"""shutdown() that interrupts running listeners."""

from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, offsets

__all__ = ["CAUSES"]

CAUSES = (
    Cause(
        "cut-short",
        "shutdown() interrupts the listeners that run, as shipped at once: where one returns success all the same, its "
        "message is committed, though the work with it is half done.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a consumer is shut down while its listener runs", event=True),
                (*offsets("finished.without-heeding"), *in_order("finished.without-heeding")),
                (*offsets("finished.heeded"), *in_order("finished.heeded")),
            ),
        ),
        looks=(
            "The listener's own log has an InterruptedException within ms of shutdown(), or of the end of its wait "
            "(awaitTerminationMillisWhenShutdown).",
            "The listener catches InterruptedException, logs it, and returns CONSUME_SUCCESS, or SUCCESS of an ordered "
            "one.",
        ),
        helps=(
            Help(
                "A listener that is interrupted before its work is done throws, or returns RECONSUME_LATER "
                "(SUSPEND_CURRENT_QUEUE_A_MOMENT of an ordered one). A concurrent one can also set its thread's "
                "interrupt status again, Thread.currentThread().interrupt(): then the client can note nothing of it, "
                "and the message comes again. It is no help to an ordered one: the next batch is noted with it.",
                (*offsets("finished.heeded"), *in_order("finished.heeded")),
            ),
            Help(
                "Concurrent listeners: awaitTerminationMillisWhenShutdown so long that all calls have ended that ran, "
                "or waited for a thread, when shutdown() was called. What the listener takes for one message is too "
                "short for that where messages wait: up to pullThresholdForQueue of each queue, 1,000 as shipped. "
                "Ordered listeners go on with the next message while they are waited for.",
                offsets("finished.awaited"),
            ),
        ),
    ),
)
