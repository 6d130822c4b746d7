"""Every obligation, evaluated on what the client's code returns for all small numbers."""

from itertools import product

import pytest

from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.movement.claims import GIVES
from tests.each import each
from tests.proofs.met import SPREAD, met, spread

STEPS = {
    (strategy.name, step.name): (strategy, step)
    for strategy, guarantees in GIVES
    for guarantee in guarantees
    for step in guarantee.obligations(AGREED)
}


def small_values(variables):
    """Values of the variables: positions and one beyond either end, consumers, places of a joiner, and what else."""
    sizes = range(1, 4 if len(variables) > 4 else 6)
    for q, c in product(sizes if "q" in variables else [3], range(1, 4)):
        ranges = {"q": [q], "c": [c], "i": range(c), "j": range(c + 1), "h": range(3), "s": range(1, 3)}
        positions = range(8) if "s" in variables else range(-1, q + 1)
        names = [ranges.get(name, positions) for name in variables]
        yield from (dict(zip(variables, row, strict=True)) for row in product(*names))


@pytest.mark.parametrize("every", [SPREAD, pytest.param(1, marks=pytest.mark.slow)])
@each(("strategy", "step"), STEPS.values(), ids=map("-".join, STEPS))
def test_movement_obligation_is_never_false(strategy, step, every):
    found = list(met(step, observed(strategy), spread(small_values(step.variables), every)))
    assert all(holds for _, holds in found), [values for values, holds in found if not holds]
    assert found


@pytest.mark.parametrize("guarantees", [guarantees for _, guarantees in GIVES], ids=["avg", "circle"])
def test_movement_obligation_names_are_unique(guarantees):
    for guarantee in guarantees:
        names = [step.name for step in guarantee.obligations(AGREED)]
        assert len(set(names)) == len(names)
