"""Every obligation about growth, evaluated on what the client's code returns for all small numbers."""

from itertools import product

import pytest

from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.growth.claims import GIVES
from tests.each import each
from tests.proofs.met import SPREAD, met, spread

STEPS = {
    (strategy.name, step.name): (strategy, step)
    for strategy, guarantees in GIVES
    for guarantee in guarantees
    for step in guarantee.obligations(AGREED)
}


def small_values(variables):
    """Values of the variables: positions and one beyond either end, consumers, new queues, and what else."""
    for q, c in product(range(1, 5) if "q" in variables else [3], range(1, 4)):
        ranges = {"q": [q], "c": [c], "i": range(c), "j": range(c), "k": range(4)}
        names = [ranges.get(name, range(-1, q + 1)) for name in variables]
        yield from (dict(zip(variables, row, strict=True)) for row in product(*names))


@pytest.mark.parametrize("every", [SPREAD, pytest.param(1, marks=pytest.mark.slow)])
@each(("strategy", "step"), STEPS.values(), ids=map("-".join, STEPS))
def test_growth_obligation_is_never_false(strategy, step, every):
    found = list(met(step, observed(strategy), spread(small_values(step.variables), every)))
    assert all(holds for _, holds in found), [values for values, holds in found if not holds]
    assert found
