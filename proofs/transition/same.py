"""Two generations of a client side by side."""

from types import SimpleNamespace

import z3

from model.transition.client import Client
from model.transition.rounds import Rounds, run
from model.transition.step import TransitionEncoding
from model.transition.view import View
from proofs.obligation import Obligation, Statement
from proofs.transition.promise import Promise, quiet
from proofs.transition.scenario import Scenario
from proofs.transition.sources import REBALANCE


def same_table(other: Client) -> Promise:
    """The promise that a client and this other one end in the same table."""

    def differs(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario, queues: int) -> z3.BoolRef:
        ours = scenario.table(encoding, v, queues).views
        theirs = scenario.table(other.encoding, v, queues).views
        return z3.Or([z3.Not(_equal(one, two)) for one, two in zip(ours, theirs, strict=True)])

    def state(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        ours, theirs = scenario.view(encoding, v), scenario.view(other.encoding, v)
        alike = _throw_alike(ours, theirs) if scenario.quiet is None else z3.BoolVal(True)
        return Statement(scenario.given(v, 1) | possible, z3.And(_equal(ours, theirs), alike))

    def quiet_too(scenario: Scenario) -> Obligation:
        theirs = quiet(scenario)
        return Obligation(
            f"quiet-{other.name}",
            f"{theirs.sentence[:-1]}, in {other.rocketmq_name}.",
            theirs.variables,
            lambda encoding, v: theirs.state(other.encoding, v),
        )

    def obligations(scenario: Scenario) -> tuple[Obligation, ...]:
        own = Obligation(
            f"same-as-{other.name}",
            f"Of any queue: {other.rocketmq_name} leaves the same in its table, and throws in the same turns.",
            scenario.names(1) + scenario.thrown_names(),
            lambda encoding, v: state(encoding, v, scenario),
        )
        return (own,) if scenario.quiet is None else (own, quiet(scenario), quiet_too(scenario))

    def violation(found: Rounds) -> str | None:
        theirs = run(other, found.mode, found.case)
        for one, two in zip(found.last.queues, theirs.last.queues, strict=True):
            ours, others = _said(one.after), _said(two.after)
            if ours != others:
                place = f"queue {one.queue.queue_id} of {one.queue.topic}"
                return (
                    f"{place} is {ours} after {found.client.rocketmq_name}, and {others} after {other.rocketmq_name}."
                )
        return None

    return Promise(
        "same",
        f"it ends in the same table as {other.rocketmq_name}",
        REBALANCE,
        obligations,
        differs,
        violation,
    )


def _equal(one: View, two: View) -> z3.BoolRef:
    same = one.after.present == two.after.present
    return z3.And(same, z3.Implies(one.after.present, one.after.dropped == two.after.dropped))


def _throw_alike(one: View, two: View) -> z3.BoolRef:
    """Then the other queues, turn by turn, have met the same in both clients."""
    pairs = zip(one.steps, two.steps, strict=True)
    return z3.And(
        [
            z3.And(ours.removing_throws == theirs.removing_throws, ours.adding_throws == theirs.adding_throws)
            for ours, theirs in pairs
        ]
    )


def _said(held) -> str:
    if held is None:
        return "not held"
    return "marked as dropped" if held.dropped else "held"
