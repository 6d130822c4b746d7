"""Guarantees about every single queue of a rebalance, proved for an arbitrary queue.

Observed rebalances can be checked, too.
"""

from collections.abc import Callable
from types import SimpleNamespace

from rebalance_proofs.model.releases import CONSUMERS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Rounds, Watched
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.transition.scenario import Scenario, SymbolicRounds

# Links to the clients' code, and to reports about its behaviour.

REBALANCE = f"{CONSUMERS}/RebalanceImpl.java"
REBALANCE_PUSH = f"{CONSUMERS}/RebalancePushImpl.java"

ISSUES = "https://github.com/apache/rocketmq/issues"
GO_UNLOCK = "https://github.com/apache/rocketmq-client-go/pull/1220"


# Words for descriptions of violations of guarantees about rebalances.


def name(seen: Watched) -> str:
    """Return the display name of the watched queue: ``queue 0 of T``."""
    return f"queue {seen.queue.queue_id} of {seen.queue.topic}"


def done(seen: Watched) -> list[str]:
    """Return the names of the effects on the watched queue in one rebalance, in order."""
    return [effect[0] for effect in seen.effects]


Holds = Callable[[View], smt.BoolTerm]
Broken = Callable[[Mode, tuple[Watched, ...]], str | None]


def of_each_queue(
    name: str,
    sentence: str,
    source: str,
    holds: Holds,
    broken: Broken,
    *,
    assumes: tuple[str, ...] = (),
    where: tuple[str, ...] = (),
) -> Guarantee:
    """Return the guarantee that every queue satisfies ``holds``.

    ``holds`` is a condition on one queue through all rebalances of a scenario. ``broken(mode, rounds)`` checks
    observed rebalances of one queue. ``assumes``, ``where``: see ``Guarantee``.
    """

    def state(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        return Statement(scenario.given(v, 1) | scenario.about(v) | possible, holds(scenario.view(encoding, v)))

    def obligations(scenario: Scenario) -> tuple[Obligation, ...]:
        own = Obligation(
            name,
            f"For any queue and any other queues: {sentence}.",
            scenario.names(1) + scenario.thrown_names(),
            lambda encoding, v: state(encoding, v, scenario),
            goals=scenario.goals,
        )
        return (own,) if scenario.quiet is None else (own, quiet(scenario))

    def broken_by(found: SymbolicRounds) -> smt.BoolTerm:
        return found.table.any(lambda view: smt.And(view.meant, smt.Not(holds(view))))

    def first_broken(found: Rounds) -> str | None:
        for number in range(len(found.case.queues)):
            if found.meant and not found.meant[number]:
                continue
            said = broken(found.mode, tuple(round_.queues[number] for round_ in found.rounds))
            if said:
                return said
        return None

    return Guarantee(name, sentence, source, obligations, broken_by, first_broken, assumes=assumes, where=where)


def quiet(scenario: Scenario) -> Obligation:
    """Return the obligation that no queue causes an exception, under the scenario's limits.

    The proof is by induction over the queues.
    """

    def state(encoding: TransitionEncoding, v: SimpleNamespace) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        steps = scenario.view(encoding, v).steps[scenario.loud :]
        throws = [smt.Or(step.removing_throws, step.adding_throws) for step in steps]
        return Statement(scenario.given(v, 1) | possible, smt.Not(smt.Or(throws)))

    return Obligation(
        "quiet",
        "No queue throws an exception if none has thrown one before.",
        scenario.names(1) + scenario.thrown_names(),
        state,
        goals=scenario.goals,
    )
