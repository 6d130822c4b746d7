"""The client's code in place of its terms: equal steps for all numerals and all possible exceptions."""

import random
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9
from rebalance_proofs.model.transition.numbers import KINDS, WHERES
from rebalance_proofs.model.transition.step import Thrown
from rebalance_proofs.model.transition.variables import Case
from rebalance_proofs.model.transition.view import view_of
from rebalance_proofs.proofs.transition.kind import observe_transition
from tests.model.transition.random_cases import (
    FLAGS,
    Values,
    Written,
    assignment,
    names,
    sampled,
    simplified,
    used,
)

NOBODY, LATER, BEHIND, BEFORE = (0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)
"""Who else throws: nobody, a later queue when it is added, a later one when it is removed, an earlier one."""
COMPARED = ("out", "entered", "changed", "removing_throws", "adding_throws")

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def feasible(client: Client, mode: Mode, case: Case) -> list[tuple[int, int, int]]:
    """In which ways another queue can throw."""
    if client is NODE:
        return [NOBODY] if mode.broadcasting else [NOBODY, BEHIND, BEFORE]
    if not mode.own_store:
        return [NOBODY]
    deprecated = WHERES[case.consumer["where"]] is ConsumeFromWhere.MIN_OFFSET
    reads = {"push": True, "pull": False, "lite": not deprecated}[KINDS[mode.kind].name]
    return [NOBODY, *([LATER] if reads and client is not V4_9 else []), BEHIND, BEFORE]


def flags(thrown: tuple[int, int, int]) -> Thrown:
    return Thrown(*(smt.BoolVal(bool(flag)) for flag in thrown))


WRITTEN: dict[tuple[Client, int], Written] = {}


def written(client: Client, rounds: int) -> Written:
    """The terms of one queue through so many rounds; in each of them others throw as ``FLAGS`` and its number say."""
    if (client, rounds) not in WRITTEN:
        told = [f"{name}{round_}" for round_ in range(rounds) for name in FLAGS]
        unknowns = [*names(1, rounds), *told]
        v = SimpleNamespace(**{name: smt.Int(name) for name in unknowns})
        thrown = tuple(Thrown(*(getattr(v, f"{name}{round_}") == 1 for name in FLAGS)) for round_ in range(rounds))
        WRITTEN[client, rounds] = Written(unknowns, view_of(client.encoding, v, thrown).steps)
    return WRITTEN[client, rounds]


def told(step: Values) -> tuple:
    """All that is to be the same."""
    return step.outcome, step.effects("removal"), step.effects("addition"), {name: step.flag(name) for name in COMPARED}


def compare(client: Client, mode: Mode, case: Case, thrown: list[tuple[int, int, int]]) -> None:
    values = assignment(mode, case)
    for place, each in enumerate(thrown):
        values |= {f"{name}{place}": flag for name, flag in zip(FLAGS, each, strict=True)}
    steps, _ = written(client, len(thrown))(values)
    v = SimpleNamespace(**{name: smt.IntVal(number) for name, number in values.items()})
    seen = view_of(observe_transition(client), v, tuple(map(flags, thrown)))
    assert [told(simplified(step)) for step in seen.steps] == [told(step) for step in steps]


@settings(max_examples=120)
@given(used(most_queues=1), st.data())
def test_observed_step_equals_the_terms(found, data):
    client, mode, case = found
    thrown = [data.draw(st.sampled_from(feasible(client, mode, case))) for _ in case.rounds]
    compare(client, mode, case, thrown)


@each_client
@pytest.mark.parametrize("rounds", [1, 2])
def test_observed_step_equals_the_terms_for_all_kinds_of_values(client, rounds):
    source = random.Random(rounds)
    for _ in range(100):
        mode, case = sampled(client, 1, rounds, source)
        compare(client, mode, case, [source.choice(feasible(client, mode, case)) for _ in case.rounds])


@pytest.mark.slow
@each_client
def test_observed_step_equals_the_terms_in_many_more_cases(client):
    source = random.Random(3)
    for number in range(5_000):
        mode, case = sampled(client, 1, 1 + number % 2, source)
        compare(client, mode, case, [source.choice(feasible(client, mode, case)) for _ in case.rounds])
