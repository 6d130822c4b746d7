"""A promise about transitions: in words, as obligations about any one queue, and as a test of what a client did."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import z3

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.rounds import Rounds, Watched
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.transition.scenario import Scenario

Holds = Callable[[View], z3.BoolRef]
Broken = Callable[[Mode, tuple[Watched, ...]], str | None]


@dataclass(frozen=True)
class Promise:
    """One promise about what the rounds of a scenario do to a client's table."""

    name: str
    sentence: str
    source: str
    obligations: Callable[[Scenario], tuple[Obligation, ...]]
    """Together they give the promise for tables of any size."""
    violated: Callable[[TransitionEncoding, SimpleNamespace, Scenario, int], z3.BoolRef]
    """``violated(encoding, v, scenario, queues)``: so many queues, in the client's order, break it."""
    violation: Callable[[Rounds], str | None]
    """What is wrong with what the client's code did, in one sentence; None when the promise is kept."""


def of_each_queue(name: str, sentence: str, source: str, holds: Holds, broken: Broken) -> Promise:
    """A promise about every single queue.

    ``holds`` is about a queue through all rounds; ``broken(mode, rounds)`` is given what was seen of one queue.
    """

    def state(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        return Statement(scenario.given(v, 1) | scenario.about(v) | possible, holds(scenario.view(encoding, v)))

    def obligations(scenario: Scenario) -> tuple[Obligation, ...]:
        own = Obligation(
            name,
            f"Of any queue, whatever the others do: {sentence}.",
            scenario.names(1) + scenario.thrown_names(),
            lambda encoding, v: state(encoding, v, scenario),
            goals=scenario.goals,
        )
        return (own,) if scenario.quiet is None else (own, quiet(scenario))

    def broken_by(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario, queues: int) -> z3.BoolRef:
        table = scenario.table(encoding, v, queues)
        return table.any(lambda view: z3.And(view.meant, z3.Not(holds(view))))

    def first_broken(found: Rounds) -> str | None:
        for number in range(len(found.case.queues)):
            if found.meant and not found.meant[number]:
                continue
            said = broken(found.mode, tuple(round_.queues[number] for round_ in found.rounds))
            if said:
                return said
        return None

    return Promise(name, sentence, source, obligations, broken_by, first_broken)


def quiet(scenario: Scenario) -> Obligation:
    """That no queue throws under the scenario's limits: then, turn by turn, none ever does."""

    def state(encoding: TransitionEncoding, v: SimpleNamespace) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        steps = scenario.view(encoding, v).steps[scenario.loud :]
        throws = [z3.Or(step.removing_throws, step.adding_throws) for step in steps]
        return Statement(scenario.given(v, 1) | possible, z3.Not(z3.Or(throws)))

    return Obligation(
        "quiet",
        "No queue throws, as long as none has thrown before.",
        scenario.names(1) + scenario.thrown_names(),
        state,
        goals=scenario.goals,
    )
