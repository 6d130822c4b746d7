"""Mutation tests of the steps of a proof about a user's code; a step that says nothing detects nothing."""

import asyncio
from dataclasses import replace
from itertools import chain

import pytest

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.explore import Inputs, explore
from rebalance_proofs.proofs.obligation import Statement
from rebalance_proofs.proofs.own.code import own_code
from rebalance_proofs.proofs.own.prove import _bites
from rebalance_proofs.proofs.own.steps import Steps, written
from rebalance_proofs.proofs.own.teeth import PINNED, mistaken_owners, mistaken_steps, teeth
from rebalance_proofs.proofs.solvers.pool import Pool
from tests.proofs.own import indexes

OWNER = written("p % c")


def every(steps, owner=OWNER):
    made = (steps.returns(), steps.inside(), steps.disjoint(), steps.balanced(), steps.covers(owner))
    return list(chain.from_iterable(made))


def toothless(steps, mistaken):
    """The steps that notice none of the mistakes."""

    async def ask():
        async with Pool(("z3", "cvc5"), 2, 20.0) as pool:
            return [one.name for one in steps if not await _bites(teeth("mine", one, mistaken), pool)]

    return asyncio.run(ask())


@pytest.fixture(scope="module")
def circle():
    steps = Steps(explore(own_code(indexes.circle, 3), Inputs()))
    mistaken = [step for one in mistaken_steps(steps) for step in every(one)]
    return every(steps), [*mistaken, *(step for one in mistaken_owners(OWNER) for step in steps.covers(one))]


def test_each_step_of_a_user_proof_notices_a_mutant(circle):
    steps, mistaken = circle
    assert toothless(steps, mistaken) == []


def saying_nothing(step):
    return replace(step, state=lambda e, v: Statement(step.state(e, v).given, smt.BoolVal(True)))


def test_empty_step_notices_no_mutant(circle):
    steps, mistaken = circle
    empty, wrong = list(map(saying_nothing, steps)), list(map(saying_nothing, mistaken))
    assert toothless(empty, wrong) == [step.name for step in steps if step.name not in PINNED]


def test_step_about_no_consumer_needs_no_mutant():
    steps = Steps(explore(own_code(indexes.none_for_whoever_is_beyond, 3), Inputs()))
    mistaken = [step for one in mistaken_steps(steps) for step in one.inside()]
    assert len({step.name for step in steps.inside()}) == 4
    assert toothless(steps.inside(), mistaken) == []
