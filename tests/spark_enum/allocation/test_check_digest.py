"""Digest of a group and its results, by which two enumerations are compared."""

from collections.abc import Callable

import pytest

from rebalance_proofs.model.allocation import STRATEGIES
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck, digest
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space

AVG = STRATEGIES[0]
DISTINCT_IDS = PREMISES[0]
SPACE = Space(DISTINCT_IDS, 3, 4)


def listed(group: Group) -> list[list[int]]:
    """The results as positions."""
    return [positions_in(group.queues, taken) for taken in group.allocate()]


def test_digest_does_not_depend_on_batch_or_order() -> None:
    check = GroupCheck(DISTINCT_IDS, (AVG,), (DISJOINT,))
    together = {found.configuration: found for found in check(SPACE)}
    backwards = check(reversed(list(together)))
    alone = (found for configuration in together for found in check([configuration]))
    assert {found.configuration: found for found in backwards} == together
    assert {found.configuration: found for found in alone} == together


def test_digests_are_distinct_signed_64_bit_integers() -> None:
    digests = [found.digest for found in GroupCheck(DISTINCT_IDS, (AVG,), ())(SPACE)]
    assert len(set(digests)) == len(digests)
    assert all(-(2**63) <= value < 2**63 for value in digests)
    assert min(digests) < 0 < max(digests)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda results: [results[0][:-1], results[1]], id="a queue is missing"),
        pytest.param(lambda results: [results[0][::-1], results[1]], id="another order"),
        pytest.param(lambda results: results[::-1], id="exchanged"),
        pytest.param(lambda results: [results[0] + results[1], []], id="moved"),
        pytest.param(lambda results: [*results, []], id="one more result"),
    ],
)
def test_digest_changes_with_a_result(change: Callable) -> None:
    group = AGREED.group((AVG,), 2, 4, ())
    results = listed(group)
    configuration = Configuration(2, 4, ())
    assert digest(configuration, change(results)) != digest(configuration, results)


def test_digest_changes_with_the_group() -> None:
    group = AGREED.group((AVG,), 2, 4, ())
    configurations = [Configuration(2, 4, ()), Configuration(2, 4, (0,)), Configuration(2, 4, (1,))]
    assert len({digest(configuration, listed(group)) for configuration in configurations}) == 3
