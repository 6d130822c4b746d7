"""Guarantee about allocation and rebalances together.

The tables of all consumers of a group partition mqAll.
"""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.transition.each_queue import quiet
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.situation import SymbolicRounds
from rebalance_proofs.proofs.transition.sources import REBALANCE


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
