"""Every inductive obligation about topics, evaluated on the code's results for all small numbers."""

from functools import cache
from itertools import product

import pytest

from rebalance_proofs.model.topics import STRATEGIES
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.topics.claims import GUARANTEES
from rebalance_proofs.proofs.topics.loads import COUNTED
from tests.proofs.met import SPREAD, met, spread

INDUCTIONS = {
    guarantee.name: [step for step in guarantee.obligations(AGREED) if step not in COUNTED] for guarantee in GUARANTEES
}
RANGES = {"q": range(1, 4), "c": range(1, 4), "t": range(1, 3), "s": range(1, 3), "x": range(3), "y": range(2)}


@cache
def verdicts(strategy, obligation, every=SPREAD):
    """For small values at which the premises are met: whether the conclusion holds."""
    all_rows = product(*(RANGES.get(name, range(3)) for name in obligation.variables))
    rows = (dict(zip(obligation.variables, row, strict=True)) for row in spread(all_rows, every))
    sound = (values for values in rows if all(values.get(index, 0) < values["c"] for index in ("i", "j")))
    return list(met(obligation, observed(strategy), sound))


def cases(kind):
    """Strategies with the inductions of the guarantees that they hold, or fail."""
    return [
        pytest.param(strategy, name, id=f"{strategy.name}-{name}")
        for strategy in STRATEGIES
        for name in sorted(getattr(strategy, kind))
    ]


def test_every_topic_induction_has_a_base_and_a_step():
    for name, steps in INDUCTIONS.items():
        assert [step.name for step in steps] == [f"{name}.base", f"{name}.step"]
        assert {"t", "s", "x", "y"} <= set(steps[1].variables)


@pytest.mark.parametrize("every", [SPREAD, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("strategy", "name"), cases("holds"))
def test_topic_base_and_step_hold_for_held_guarantees(strategy, name, every):
    for step in INDUCTIONS[name]:
        found = verdicts(strategy, step, every)
        assert found
        assert not [values for values, holds in found if not holds]


@pytest.mark.parametrize(("strategy", "name"), cases("fails"))
def test_topic_step_fails_for_failing_guarantees(strategy, name):
    """One topic is like any other; the second one makes the difference."""
    base, step = INDUCTIONS[name]
    assert all(holds for _, holds in verdicts(strategy, base))
    assert not all(holds for _, holds in verdicts(strategy, step))
