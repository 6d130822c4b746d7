"""Replicas of a broker, which keep offsets of their own."""

from rebalance_proofs.report.symptoms.cause import Cause, Effect, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.causes.of_clients import offsets
from rebalance_proofs.report.symptoms.sign import Sign

__all__ = ["CAUSES"]

OLDER = offsets("only-uncommitted.without-master")

CAUSES = (
    Cause(
        "replica-behind",
        "While the route has no master, a replica answers queries for the committed offset, with what its master had "
        "when it was last asked (every 10 s), and takes commits, which the master's older offsets overwrite when it is "
        "back; a replica that becomes the master goes on with what it has.",
        Needs.FAILURE,
        (
            Effect(
                Symptom.TWICE,
                Lasts("once, when a queue is taken over then", event=True),
                OLDER,
            ),
            Effect(
                Symptom.BACK,
                Lasts("once, when a queue is taken over then", event=True),
                OLDER,
            ),
            Effect(
                Symptom.LOST,
                Lasts("once, when a replica that has no offset of the queue yet takes the master's place", event=True),
                offsets("not-skipped.without-copy"),
                offsets("not-skipped.without-master"),
            ),
        ),
        looks=(
            "The broker that has the group's offset is not the one that had it before: a master stopped, came back, or "
            "changed places with a replica just before.",
            'The replica\'s log of "Update slave consumer offset from master": the last one is what it knows.',
        ),
        signs=(Sign.WENT_BACK,),
        helps=(
            Help("An idempotent listener."),
            Help(
                "CONSUME_FROM_FIRST_OFFSET: then nothing is lost with a replica that has no offset.",
                offsets("not-skipped.first-copy"),
            ),
            Help(
                "Before a replica takes its master's place, and before a master comes back: consumers stopped, and "
                "config/consumerOffset.json copied from the one that took the last commits."
            ),
        ),
    ),
)
