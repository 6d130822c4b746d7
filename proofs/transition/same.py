"""Comparison of two versions of a client by their tables after a rebalance."""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.model.transition.rounds import Held, Rounds, run
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.transition.entries import REBALANCE, quiet
from rebalance_proofs.proofs.transition.scenario import Scenario, SymbolicRounds

# Guarantee about allocation and rebalances together.
# The tables of all consumers of a group partition mqAll.


def _has(view: View) -> smt.BoolTerm:
    return smt.And(view.after.present, smt.Not(view.after.dropped))


def _held(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
    (view,) = scenario.table(encoding, v, 1).views
    given = scenario.given(v, 1) | {"the queue belongs to this consumer": view.asked[0].in_set}
    return Statement(given, _has(view))


def _alone(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
    one, other = scenario.table(encoding, v, 2).views
    given = scenario.given(v, 2) | {
        "the strategy gives the queue to at most one of two consumers": smt.Not(
            smt.And(one.asked[0].in_set, other.asked[0].in_set)
        )
    }
    return Statement(given, smt.Not(smt.And(one.after.present, other.after.present)))


def _obligations(scenario: Scenario) -> tuple[Obligation, ...]:
    return (
        Obligation(
            "held",
            "The consumer to which the strategy gives a queue has a live process queue of it.",
            scenario.names(1),
            lambda encoding, v: _held(encoding, v, scenario),
            goals=scenario.goals,
        ),
        Obligation(
            "alone",
            "Two consumers have process queues of one queue only if the strategy gives the queue to both.",
            scenario.names(2),
            lambda encoding, v: _alone(encoding, v, scenario),
            goals=scenario.goals,
        ),
        quiet(scenario),
    )


def _violated(found: SymbolicRounds) -> smt.BoolTerm:
    views = found.table.views
    shares = [smt.If(view.asked[0].in_set, 1, 0) for view in views]
    entries = [smt.If(view.after.present, 1, 0) for view in views]
    without = smt.Or([smt.And(view.asked[0].in_set, smt.Not(_has(view))) for view in views])
    return smt.And(smt.Sum(shares) == 1, smt.Or(smt.Sum(entries) != 1, without))


def _violation(found: Rounds) -> str | None:
    queues = found.last.queues
    if sum(seen.asked.in_set for seen in queues) != 1:
        return None
    owners = sum(bool(seen.after) for seen in queues)
    if owners != 1:
        return f"the queue has a process queue in the tables of {owners} consumers."
    if any(seen.asked.in_set and not (seen.after and not seen.after.dropped) for seen in queues):
        return "the consumer to which the strategy gives the queue has no live process queue of it."
    return None


PARTITION = Guarantee(
    "partition",
    "the tables of all consumers partition mqAll, for any disjoint and covering strategy",
    REBALANCE,
    _obligations,
    _violated,
    _violation,
)


ENTRIES = ("dropped", "fresh")
"""Compared fields of a process queue: whether it is dropped, and whether it is a new one."""
TABLE = (*ENTRIES, "locked")


def same_table(other: Client) -> Guarantee:
    """Return the guarantee that both clients have equal tables after a rebalance."""
    same = "the same table: the same process queues, kept or new, dropped and locked alike"
    return _same(other, "same", f"its rebalance leaves the same table as {other.rocketmq_name}", TABLE, same)


def same_entries(other: Client) -> Guarantee:
    """Return the guarantee that both clients end with the same process queues.

    Whether these are locked may differ.
    """
    same = "the same process queues: kept or new, and dropped alike, whatever their locks"
    sentence = f"its rebalance leaves the same process queues as {other.rocketmq_name}"
    return _same(other, "same-entries", sentence, ENTRIES, same)


def _same(other: Client, name: str, sentence: str, told: tuple[str, ...], same: str) -> Guarantee:

    def differs(found: SymbolicRounds) -> smt.BoolTerm:
        ours, theirs = found.table.views, found.table_of(other.encoding).views
        return smt.Or([smt.Not(_equal(one, two, told)) for one, two in zip(ours, theirs, strict=True)])

    def state(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        ours, theirs = scenario.view(encoding, v), scenario.view(other.encoding, v)
        alike = _throw_alike(ours, theirs) if scenario.quiet is None else smt.BoolVal(True)
        return Statement(scenario.given(v, 1) | possible, smt.And(_equal(ours, theirs, told), alike))

    def quiet_too(scenario: Scenario) -> Obligation:
        theirs = quiet(scenario)
        return Obligation(
            f"quiet-{other.name}",
            f"{theirs.sentence[:-1]}, in {other.rocketmq_name}.",
            theirs.variables,
            lambda encoding, v: theirs.state(other.encoding, v),
            goals=scenario.goals,
        )

    def obligations(scenario: Scenario) -> tuple[Obligation, ...]:
        own = Obligation(
            f"same-as-{other.name}",
            f"For any queue, {other.rocketmq_name} leaves the same entry in its table, and throws for the same queues.",
            scenario.names(1) + scenario.thrown_names(),
            lambda encoding, v: state(encoding, v, scenario),
            goals=scenario.goals,
        )
        return (own,) if scenario.quiet is None else (own, quiet(scenario), quiet_too(scenario))

    def violation(found: Rounds) -> str | None:
        theirs = run(other, found.mode, found.case)
        for one, two in zip(found.last.queues, theirs.last.queues, strict=True):
            ours, others = _said(one.after, told), _said(two.after, told)
            if ours != others:
                place = f"queue {one.queue.queue_id} of {one.queue.topic}"
                return (
                    f"{place} is {ours} after {found.client.rocketmq_name}, and {others} after {other.rocketmq_name}."
                )
        return None

    return Guarantee(
        name,
        sentence,
        REBALANCE,
        obligations,
        differs,
        violation,
        where=(same,),
    )


def _equal(one: View, two: View, told: tuple[str, ...]) -> smt.BoolTerm:
    ours, theirs = one.after, two.after
    alike = smt.And([getattr(ours, field) == getattr(theirs, field) for field in told])
    return smt.And(ours.present == theirs.present, smt.Implies(ours.present, alike))


def _throw_alike(one: View, two: View) -> smt.BoolTerm:
    """Return the condition that both clients throw exceptions for the same queues.

    For all other queues, both rebalances then stop or continue in the same way.
    """
    pairs = zip(one.steps, two.steps, strict=True)
    return smt.And(
        [
            smt.And(ours.removing_throws == theirs.removing_throws, ours.adding_throws == theirs.adding_throws)
            for ours, theirs in pairs
        ]
    )


def _said(held: Held | None, told: tuple[str, ...]) -> str:
    if held is None:
        return "not held"
    said = ["held by a new process queue" if held.fresh else "held"]
    said += ["dropped"] * held.dropped + ["not locked"] * ("locked" in told and not held.locked)
    return ", ".join(said)
