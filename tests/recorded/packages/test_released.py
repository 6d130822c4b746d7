"""Released packages compared with the model. Slow: fetched from the languages' registries, and built."""

import pytest

from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.profiles import GO, NODE
from rebalance_proofs.recorded.jar.conform import compare
from rebalance_proofs.recorded.jar.shipped import of_two_lists
from rebalance_proofs.recorded.packages import conform
from rebalance_proofs.recorded.packages.__main__ import RELEASED
from rebalance_proofs.recorded.packages.conform import conform_package
from rebalance_proofs.recorded.packages.driver import Driver
from rebalance_proofs.recorded.packages.install import installed, package

pytestmark = pytest.mark.slow

RARE = "\ue000"


def usable(words: str):
    """Return the package installed; skip the test if its tool is missing, or does not install it."""
    one = package(words)
    try:
        return one, installed(one)
    except StrategyError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("words", RELEASED)
def test_released_package_equals_the_model(words):
    one, found = usable(words)
    conformed = conform_package(one, found)
    assert {result.name: result.smallest for result in conformed.results if result.smallest} == {}
    assert found.unsorted == ""
    assert sum(result.calls for result in conformed.sorts) == 2 * len(conform.lists())
    assert all(result.calls and not result.left_out for result in conformed.results)


def test_other_strategy_is_detected():
    """The comparison detects that AVG of ali-ons is not AVG_BY_CIRCLE."""
    _, found = usable("ali-ons==3.12.0")
    with Driver(found.command, found.folder, {"strategy": "AVG"}) as driver:
        compared = compare("AVG", driver, NODE, AVERAGELY_BY_CIRCLE, of_two_lists(3))
    assert (compared.smallest.client, compared.smallest.model) == ("gives [0, 1]", "gives [0, 2]")


def test_other_sort_order_is_detected():
    """The comparison detects that ali-ons does not sort as the Go client does."""
    _, found = usable("ali-ons==3.12.0")
    with Driver(found.command, found.folder) as driver:
        queues, ids = conform.compare_sorts(driver, GO, conform.lists())
    assert queues.differ > 0
    assert ids.smallest.client == f"sorts ['😀', {RARE!r}]"
    assert ids.smallest.model == f"sorts [{RARE!r}, '😀']"
