"""Overview of small allocations: packed owners, imbalance and moves are what the code computes."""

import pytest

from rebalance_proofs.model.allocation import ALL, STRATEGIES
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.report.allocation import atlas
from rebalance_proofs.report.allocation.atlas import SIZE, atlases, owners
from rebalance_proofs.report.shown import LEVELS, Heat


def test_every_shipped_strategy_has_an_atlas():
    found = atlases(claim for claim in LEDGER if claim.kind == "allocation")
    titles = ", ".join(one.title for one in found)
    assert all(one.rocketmq_name in titles for one in ALL if one is not CONFIG)
    assert [one.title for one in atlases(select(["allocation.avg.*"]))] == ["AVG"]


def test_packed_owners_are_what_the_code_computes():
    (found,) = atlases(select(["allocation.circle.disjoint"]))
    assert found.packed[2][4] == "01201"
    assert (len(found.packed), {len(row) for row in found.packed}) == (SIZE, {SIZE})
    assert all(len(digits) == queues for row in found.packed for queues, digits in enumerate(row, 1))
    assert all(
        int(digit, 36) < consumers for consumers, row in enumerate(found.packed, 1) for one in row for digit in one
    )


def test_imbalance_is_computed_from_the_shares():
    (found,) = atlases(select(["allocation.avg.disjoint"]))
    heat = found.heats[0]
    assert heat.most == 1
    assert all(
        (queues % consumers != 0) == number
        for consumers, row in enumerate(heat.rows, 1)
        for queues, number in enumerate(row, 1)
    )


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: strategy.name)
def test_moves_agree_with_the_claims(strategy):
    heat = atlas._moves(strategy)
    for consumers, queues in ((1, 1), (2, 5), (3, 8), (5, 7)):
        groups = [JOINS.group((strategy,), consumers + 1, queues, (place,)) for place in range(consumers + 1)]
        assert heat[consumers - 1][queues - 1] == max(changed_hands(group, group.results()) for group in groups)
    assert len(heat) == SIZE - 1


def test_strategy_that_assigns_a_queue_twice_has_no_picture():
    class Greedy:
        """Everybody takes everything."""

        name, queues = "greedy", AVERAGELY.queues

        @staticmethod
        def allocate(client_id, every, ids):
            return list(every)

    with pytest.raises(ValueError, match="two consumers take"):
        owners(Greedy, 1, ("a", "b"))


def test_shade_grows_with_the_number():
    heat = Heat("t", (tuple(range(17)),))
    shades = [heat.level(number) for number in range(17)]
    assert shades == sorted(shades)
    assert (shades[0], shades[1], shades[-1], set(shades)) == (0, 1, LEVELS - 1, set(range(LEVELS)))
    assert Heat("t", ((0, 0),)).level(0) == 0
    assert Heat("t", ((0, 0),)).said == "0 everywhere"
