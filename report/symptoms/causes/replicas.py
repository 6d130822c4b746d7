"""Causes in replicas of a broker, which store their own offsets."""

from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import offsets
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

OLDER = offsets("only-uncommitted.without-master")

CAUSES = (
    Cause(
        "replica-behind",
        "A replica whose offsets are older answers for its master, or replaces it, so offsets roll back. While the "
        "route has no master, a replica answers offset queries with the offsets copied last (every 10 s). It also "
        "accepts commits, which the master's older offsets overwrite when the master returns. A replica that becomes "
        "the master continues with its own offsets.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when a queue changes owner at that time", event=True),
                OLDER,
            ),
            Effect(
                Symptom.BACK,
                Lasts("once, when a queue changes owner at that time", event=True),
                OLDER,
            ),
            Effect(
                Symptom.LOST,
                Lasts("once, when a replica that has no offset for the queue replaces the master", event=True),
                offsets("not-skipped.without-copy"),
                offsets("not-skipped.without-master"),
            ),
        ),
        looks=(
            "A different broker than before holds the group's offset: a master stopped, came back, or swapped roles "
            "with a replica just before.",
            'The replica\'s last line "Update slave consumer offset from master" shows which offsets it has.',
        ),
        signs=(Sign.WENT_BACK,),
        helps=(
            Help("Make the listener idempotent."),
            Help(
                "Set CONSUME_FROM_FIRST_OFFSET: then a replica that has no offset loses no messages.",
                offsets("not-skipped.first-copy"),
            ),
            Help(
                "Stop the consumers before a replica replaces its master, and before a master returns. Copy "
                "config/consumerOffset.json from the broker that took the last commits.",
                short="Stop the consumers before a replica replaces its master, and before a master returns.",
            ),
        ),
    ),
)
