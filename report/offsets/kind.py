"""How reports show claims about offsets: the functions that all reports use."""

from typing import Any

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.machine.happens import NAMES
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.offsets.actions import offset_in_words
from rebalance_proofs.model.offsets.state import NONE, Limits, Offsets, Way
from rebalance_proofs.model.transition.numbers import NO_OFFSET, WHERES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.offsets.brokers import (
    ARRIVING,
    AWAITED,
    BY_LOOP,
    COMMITTED,
    COMMITTED_STEADY,
    FIRST,
    HANDED_OVER,
    HEEDED,
    IN_TURN,
    IN_TURN_STEADY,
    REPLACED_FIRST,
    RESET,
)
from rebalance_proofs.proofs.offsets.configuration import LIMIT, LIMIT_IN_ORDER, LIMIT_IN_TURN, configuration
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places, circumstances
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.spark_enum.offsets.kinds import STEPS

# Table layout of claims about offsets: circumstances in rows, clients in columns.

OFFSETS_PLACES = Family(
    "offsets",
    "Offsets",
    "One message of a queue, across all consumers of the group. A consumer starts at the committed offset, tracks "
    "consumed messages, and commits its offset from time to time. The claims cover concurrent and ordered listeners "
    "and Node's consumer, each with its default offset store.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)
WHEN = {
    COMMITTED.name: "if an offset is committed and no query fails",
    COMMITTED_STEADY.name: "if an offset is committed, no query fails, and tables are steady",
    BY_LOOP.name: "if an offset above 0 is committed, queries are answered, and no messages are left at shutdown",
    HANDED_OVER.name: "if a consumer asks for a queue only after the old owner removed it",
    HEEDED.name: "if interrupted listeners return success only when done",
    AWAITED.name: "if shutdown() waits for running listeners",
    RESET.name: "if no offset is recorded while it is reset",
    ARRIVING.name: "if nothing is committed, and one consumer takes the queue before the first commit",
    FIRST.name: "if the group starts at the first offset",
    REPLACED_FIRST.name: "if the group starts at the first offset, even if a replica answers",
    "mixed": "in a group of two clients that both meet the assumptions",
    IN_TURN.name: "if owners follow one after the other, and none ends abruptly",
    IN_TURN_STEADY.name: "if owners follow one after the other, none ends abruptly, and tables are steady",
}


PLACES = Places(OFFSETS_PLACES, circumstances(WHEN))


LISTENERS = {Way.CONCURRENTLY: "concurrent", Way.ORDERLY: "ordered"}
Ran = Run[Offsets, Limits]


def about(claim: Claim) -> str:
    """Return a sentence about the group of a claim: the client whose code runs, and its members."""
    name = claim.subjects[0].rocketmq_name
    listeners = f" with {LISTENERS[claim.subjects[0].way]} listeners" if claim.subjects[0].way in LISTENERS else ""
    return f"One queue and one message, any number of consumers of {name}{listeners}, and the broker."


def given(run: Ran) -> str:
    """Return a sentence about the initial state of a counterexample's run."""
    words = f"Consumers {' and '.join(NAMES)}; one queue with one message, at offset {run.limits.message}"
    if run.first.committed != NONE:
        return f"{words}; committed: {offset_in_words(number(run.first.committed))}."
    if run.world.later:
        words = f"Consumers {' and '.join(NAMES)}; one queue, whose next message gets offset {run.limits.message}"
    first = WHERES[number(run.limits.from_where)] is ConsumeFromWhere.FIRST_OFFSET
    return f"{words}; nothing is committed; the group starts at the {'first' if first else 'last'} offset."


def noted(before: Offsets, after: Offsets) -> str:
    """Return what an action changes, in words: the committed offset, and the acting consumer's memory."""
    told = []
    if after.committed != before.committed:
        # A replica that never received an offset has none; Node, however, can commit -1.
        none = after.committed == NONE == before.copied
        told.append(f"committed: {'none' if none else offset_in_words(number(after.committed))}")
    if after.memory not in (before.memory, NO_OFFSET):
        told.append(f"in memory: {after.memory}")
    return ", ".join(told)


def limits(run: Ran) -> dict[str, Any]:
    """Return the constants of a run and the offset committed before it."""
    committed = None if run.first.committed == NONE else run.first.committed
    return {"message": run.limits.message, "where": WHERES[number(run.limits.from_where)].value, "committed": committed}


OFFSETS = machine_shown(
    Telling(
        configuration(COMMITTED),
        given,
        parties=("consumer", "broker", "message"),
        limits=limits,
        noted=lambda run, before, after, who: noted(before[who], after[who]),
        by_claim=lambda claim: configuration(claim.world),
    ),
    PLACES,
    about,
    none=f"two consumers do not reach this in {LIMIT} actions ({LIMIT_IN_ORDER} with ordered listeners, "
    f"{LIMIT_IN_TURN} with owners in turn)",
    around="2 consumers, 1 queue",
    actions=Actions(STEPS, "offsets", "with offsets", "a queue and its offsets"),
)
