"""Every obligation, evaluated on what the client's code returns for all small numbers."""

from functools import cache
from itertools import product

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.claims import GUARANTEES
from rebalance_proofs.proofs.allocation.observed import observed
from tests.each import each
from tests.proofs.met import SPREAD, met, spread

CONSUMERS, LISTED = ("i", "j"), ("listed_i", "listed_j")


def obligations(guarantee):
    """All of them, those for dropped premises included."""
    return [step for world in (AGREED, *PREMISES) for step in guarantee.obligations(world)]


def cases():
    """Strategies with the obligations of the guarantees that they hold; shared obligations once."""
    pairs = {
        (strategy.name, step.name): (strategy, step)
        for strategy in STRATEGIES
        for guarantee in GUARANTEES
        if guarantee.name in strategy.holds
        for step in obligations(guarantee)
    }
    return [pytest.param(*pair, id="-".join(names)) for names, pair in pairs.items()]


def small_values(variables):
    """Values of the variables: every position and one beyond either end, every consumer; fewer where there are many."""
    sizes = range(1, 5 if len(variables) < 6 else 4)
    others = [name for name in variables if name not in ("q", "c")]
    for q, c in product(sizes, sizes):
        ranges = [
            range(c) if name in CONSUMERS else range(2) if name in LISTED else range(-1, q + 1) for name in others
        ]
        for row in product(*ranges):
            yield {"q": q, "c": c} | dict(zip(others, row, strict=True))


@cache
def verdicts(strategy, obligation, every=SPREAD):
    """For small values at which the premises are met: whether the conclusion holds."""
    return list(met(obligation, observed(strategy), spread(small_values(obligation.variables), every)))


@pytest.mark.parametrize("every", [SPREAD, pytest.param(1, marks=pytest.mark.slow)])
@each(("strategy", "obligation"), cases())
def test_obligation_of_a_held_guarantee_is_never_false(strategy, obligation, every):
    found = verdicts(strategy, obligation, every)
    assert found
    assert not [values for values, holds in found if not holds]


@pytest.mark.parametrize(
    ("strategy", "guarantee"),
    [
        pytest.param(strategy, guarantee, id=f"{strategy.name}-{guarantee.name}")
        for strategy in STRATEGIES
        for guarantee in GUARANTEES
        if guarantee.name in strategy.fails
    ],
)
def test_obligation_of_a_failing_guarantee_is_false_for_small_values(strategy, guarantee):
    steps = guarantee.obligations(AGREED)
    assert not all(holds for step in steps for _, holds in verdicts(strategy, step, every=1))


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda guarantee: guarantee.name)
def test_obligation_names_are_unique(guarantee):
    names = [step.name for step in obligations(guarantee)]
    assert len(set(names)) == len(names)
