"""Same, on results written by hand."""

from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.worlds.kinds import KINDS_COMPARED
from rebalance_proofs.model.worlds.settings import sized_member
from rebalance_proofs.proofs.allocation.observed import SAME

BOTH = (MACHINE_ROOM, MACHINE_ROOM_GO)


def said(one, other):
    """About these places in the results of c0 and c1, by the one client and the other."""
    group = KINDS_COMPARED.group(BOTH, 2, 2, (0, 0))

    class Reference:
        consumers = group.reference.consumers

        def allocate(self):
            return [[group.queues[place] for place in places] for places in other]

    compared = replace(group, reference=Reference())
    return SAME.violation(compared, [[group.queues[place] for place in places] for places in one])


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        pytest.param([[0], [1]], [[0], [1]], None, id="the same"),
        pytest.param([[0, 1], []], [[1, 0], []], None, id="in another order"),
        pytest.param([[0], [1]], [[0], []], "c1 takes queue 1 by room, and does not by room-go.", id="missing"),
        pytest.param([[], [1]], [[0], [1]], "c0 takes queue 0 by room-go, and does not by room.", id="too much"),
        pytest.param([[0], [1]], [[1], [0]], "c0 takes queue 0 by room, and does not by room-go.", id="exchanged"),
    ],
)
def test_first_difference_between_two_strategies_is_named(one, other, sentence):
    assert said(one, other) == sentence


def test_formula_and_test_agree_on_any_compared_results():
    symbolic = KINDS_COMPARED.symbolic([strategy.encoding for strategy in BOTH], 2, 2)
    sides = list(product(product((False, True), repeat=2), repeat=2))  # consumer by consumer, queue by queue
    for one, other in product(sides, repeat=2):
        members, reference = (
            tuple(
                sized_member(list(map(smt.BoolVal, owned)), 2, place, smt.Int("p")) for place, owned in enumerate(side)
            )
            for side in (one, other)
        )
        solver = Solver()
        solver.add(*symbolic.constraints, SAME.violated(replace(symbolic, members=members, reference=reference)))
        listed = [[[place for place in range(2) if owned[place]] for owned in side] for side in (one, other)]
        assert (solver.check() == sat) == (said(*listed) is not None)
