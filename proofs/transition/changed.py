"""Guarantee about the return value of a rebalance: whether the table changed."""

from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.rounds import Rounds, Watched
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.situation import SymbolicRounds
from rebalance_proofs.proofs.transition.sources import REBALANCE


def moved(view: View) -> smt.BoolTerm:
    """Return the condition that the last rebalance removed, added or replaced the process queue."""
    before, after = view.before.present, view.after
    return smt.Or(smt.And(before, smt.Or(smt.Not(after.present), after.fresh)), smt.And(smt.Not(before), after.present))


def _step(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
    possible, (thrown,) = scenario.thrown(encoding, v)
    view = scenario.view(encoding, v)
    changed = smt.Or(v.changed == 1, view.steps[-1].changed)
    has_moved = smt.Or(v.moved == 1, moved(view))
    given = scenario.given(v, 1) | possible | truth_values(v, "changed", "moved")
    given["so far `changed` is true exactly if a process queue was removed or added"] = (v.changed == 1) == (
        v.moved == 1
    )
    given["the method throws nothing"] = smt.Not(thrown.ever)
    return Statement(given, changed == has_moved)


def _obligations(scenario: Scenario) -> tuple[Obligation, ...]:
    return (
        Obligation(
            "changed",
            "After one more queue, `changed` still is true exactly if a process queue was removed or added. "
            "Initially both are false.",
            (*scenario.names(1), *scenario.thrown_names(), "changed", "moved"),
            lambda encoding, v: _step(encoding, v, scenario),
            goals=scenario.goals,
        ),
    )


def _violated(found: SymbolicRounds) -> smt.BoolTerm:
    table = found.table
    said = table.any(lambda view: view.steps[-1].changed)
    return smt.And(smt.Not(table.thrown[-1]), said != table.any(moved))


def _violation(found: Rounds) -> str | None:
    last = found.last
    if last.changed is None:
        return None
    has_moved = any(bool(seen.before) != bool(seen.after) or _renewed(seen) for seen in last.queues)
    if last.changed == has_moved:
        return None
    return f"the client reports {'a' if last.changed else 'no'} change, and {'an' if has_moved else 'no'} entry moved."


def _renewed(seen: Watched) -> bool:
    return bool(seen.before and seen.after and seen.after.fresh and not seen.before.fresh)


CHANGED = Guarantee(
    "changed",
    "the rebalance reports a change exactly when it removed or added a process queue",
    REBALANCE,
    _obligations,
    _violated,
    _violation,
    assumes=("a rebalance that ends without an exception",),
)
