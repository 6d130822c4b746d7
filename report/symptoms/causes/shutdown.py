"""The cause "shutdown() interrupts running listeners"."""

from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import in_order, offsets

__all__ = ["CAUSES"]

CAUSES = (
    Cause(
        "cut-short",
        "shutdown() interrupts running listeners, by default at once, and commits the half-done message of a listener "
        "that still returns success.",
        Needs.NOTHING,
        (
            Effect(
                Symptom.LOST,
                Lasts("once, when a consumer shuts down while its listener runs", event=True),
                (*offsets("finished.without-heeding"), *in_order("finished.without-heeding")),
                (*offsets("finished.heeded"), *in_order("finished.heeded")),
            ),
        ),
        looks=(
            "The listener's own log has an InterruptedException within milliseconds of shutdown(), or of the end of "
            "awaitTerminationMillisWhenShutdown.",
            "The listener catches InterruptedException, logs it, and returns CONSUME_SUCCESS (SUCCESS if ordered).",
        ),
        helps=(
            Help(
                "Let a listener that is interrupted before its work is done throw, or return RECONSUME_LATER "
                "(SUSPEND_CURRENT_QUEUE_A_MOMENT if ordered). A concurrent listener can also restore the interrupt "
                "status with Thread.currentThread().interrupt(): the client then does not record the message, and it "
                "is redelivered. This does not help an ordered listener, because the next batch's offset includes the "
                "message.",
                (*offsets("finished.heeded"), *in_order("finished.heeded")),
                short="Return RECONSUME_LATER (SUSPEND_CURRENT_QUEUE_A_MOMENT if ordered), or throw, from a listener "
                "that is interrupted before its work is done.",
            ),
            Help(
                "For concurrent listeners, set awaitTerminationMillisWhenShutdown so long that all calls end that ran "
                "or waited for a thread at shutdown(). The time for one message is too short if messages wait: up to "
                "pullThresholdForQueue (1,000 by default) for each queue. Ordered listeners continue with the next "
                "message during that wait.",
                offsets("finished.awaited"),
                short="Set awaitTerminationMillisWhenShutdown long enough for all concurrent calls that run or wait "
                "for a thread at shutdown().",
            ),
        ),
    ),
)
