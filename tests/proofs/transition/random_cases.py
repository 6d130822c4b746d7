"""Random cases that a scenario admits, and formulas evaluated in many cases at once."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np

from rebalance_proofs.model.client.effects import SCHEDULE_UNLOCK, Effect
from rebalance_proofs.model.client.environment import Environment
from rebalance_proofs.model.client.process_queue_table import FREE
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.rounds import Held, Round, Rounds, Watched, answers_of, queue_of
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.variables import CONSUMER, ENTRY, QUEUE, ROUND, Case, Variable
from rebalance_proofs.proofs.transition.claims import claims
from rebalance_proofs.proofs.transition.scenario import Action, Scenario
from tests.each import each
from tests.model.transition.random_cases import Written, assignment

CLAIMS = claims()

each_claim = each("claim", CLAIMS, ids=lambda claim: claim.id)

Admitted = tuple[Mode, Case]


def admitted(scenario: Scenario, queues: int, source: random.Random) -> Iterator[Admitted]:
    """Random cases with that many queues; half of all values are benign where possible."""
    while True:
        mode = source.choice(scenario.modes)
        case = _case(scenario, mode, queues, source)
        if scenario.admits(case, mode):
            yield mode, case


def _case(scenario: Scenario, mode: Mode, queues: int, source: random.Random) -> Case:
    about = not scenario.own or source.random() < 0.7

    def value(variable: Variable, round_: int | None = None) -> int:
        asked = (*scenario.limits, *(scenario.own if about else ()))
        limits = [one for one in asked if one.name == variable.name and one.round in (None, round_)]
        allowed = [number for number in variable.values if all(limit.admits(number, mode) for limit in limits)]
        return allowed[0] if source.random() < 0.5 else source.choice(allowed)

    def numbers(known: Sequence[Variable], round_: int | None = None) -> dict[str, int]:
        return {variable.name: value(variable, round_) for variable in known}

    states = [numbers(QUEUE) for _ in range(queues)]
    rounds = [[numbers(ROUND, round_) for _ in range(queues)] for round_ in range(scenario.rounds)]
    for place, state in enumerate(states):
        if not state["present"]:
            state |= {variable.name: variable.benign for variable in ENTRY}
        for row in rounds:
            if scenario.same_set:
                row[place]["in_set"] = rounds[0][place]["in_set"]
            if not scenario.foreign and not state["mine"] and source.random() < 0.9:
                row[place]["in_set"] = 0
    return Case(numbers(CONSUMER), tuple(states), tuple(map(tuple, rounds)))


@cache
def _terms(encoding: TransitionEncoding, scenario: Scenario, queues: int) -> Written:
    names = scenario.names(queues)
    table = scenario.table(encoding, SimpleNamespace(**{name: smt.Int(name) for name in names}), queues)
    return Written(names, [step for view in table.views for step in view.steps], table.thrown)


def staged(client: Client, encoding: TransitionEncoding, scenario: Scenario, mode: Mode, case: Case) -> Rounds:
    """The case as an encoding, correct or not, describes it, in the form of a run of the client's code."""
    queues, rounds = len(case.queues), len(case.rounds)
    steps, thrown = _terms(encoding, scenario, queues)(assignment(mode, case))
    retry = case.consumer["retry"]
    topic = queue_of(0, 1, retry).topic
    numbers = [0 if scenario.apart else place for place in range(queues)]
    renews = scenario.action is Action.RENEWS
    names = [
        queue_of(number, state["mine"], retry, renews and state["static"])
        for number, state in zip(numbers, case.queues, strict=True)
    ]
    watched: list[list[Watched]] = [[] for _ in range(rounds)]
    for place, (queue, state) in enumerate(zip(names, case.queues, strict=True)):
        held = Held(bool(state["dropped"]), bool(state["locked"]), 0, False) if state["present"] else None
        lock = state["consume_lock"] if state["present"] else FREE
        memory = state["memory"]
        for round_ in range(rounds):
            became = steps[place * rounds + round_].outcome
            before, runs, remembered = held, lock, memory
            after, memory = became.after, became.memory
            held = after and Held(after.dropped, after.locked, after.tries, became.fresh)
            lock = after.consume_lock if after else FREE
            effects = tuple((name, queue, *details) for name, *details in became.effects)
            asked = SimpleNamespace(**case.rounds[round_][place])
            offsets = remembered, memory
            watched[round_].append(Watched(queue, queue.topic == topic, asked, before, held, runs, offsets, effects))
    for place, queue in enumerate(names):
        put_off = [seen for seen in (row[place] for row in watched) if seen.did(SCHEDULE_UNLOCK)]
        later = tuple(effect for seen in put_off for effect in _unlock(queue, seen.asked))
        watched[-1][place] = replace(watched[-1][place], later=later)
    found = []
    for round_, row in enumerate(watched):
        changed = any(steps[place * rounds + round_].flag("changed") for place in range(queues))
        effects = tuple(effect for seen in row for effect in seen.effects)
        told = (None, "thrown") if thrown[round_] else (changed, "")
        found.append(Round(*told, effects, tuple(row)))
    return scenario.meant(Rounds(client, mode, case, tuple(found)))


def _unlock(queue: MessageQueue, asked: SimpleNamespace) -> list[Effect]:
    """Effects of the round's put-off unlock."""
    environment = Environment({queue: answers_of(vars(asked))})
    environment.unlock(queue)
    return environment.effects


def evaluated(
    scenario: Scenario, queues: int, formula: Callable[[SimpleNamespace], smt.BoolTerm], cases: Sequence[Admitted]
) -> list[bool]:
    """Value of the formula about the scenario's unknowns, in each of the cases."""
    names = scenario.names(queues)
    term = simplify(formula(SimpleNamespace(**{name: smt.Int(name) for name in names})))  # no empty disjunctions
    kernel = compile_kernel(names, term)
    rows = [assignment(mode, case) for mode, case in cases]
    columns = [np.array([row[name] for row in rows]) for name in names]
    (found,) = kernel(*columns)
    return np.broadcast_to(found, len(cases)).astype(bool).tolist()
