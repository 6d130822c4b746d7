"""When groups of a strategy of one's own are tried on Spark, and when here."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.cli.check import LARGE, _master
from rebalance_proofs.proofs.errors import UsageError


@pytest.mark.parametrize(
    ("calls", "thorough", "master", "where"),
    [
        ((LARGE, 0), False, None, ""),
        ((LARGE, 1), False, None, "local[3]"),
        ((LARGE // 2, LARGE), False, None, "local[3]"),
        ((1,), True, None, "local[3]"),
        ((1,), False, "spark://there", "spark://there"),
        ((LARGE, 1), True, "spark://there", "spark://there"),
    ],
)
def test_many_calls_go_to_spark_and_few_stay_here(calls, thorough, master, where):
    spaces = tuple(SimpleNamespace(calls=many) for many in calls)
    assert _master(spaces, thorough, master, 3, None) == where


@pytest.mark.parametrize(("thorough", "master"), [(True, None), (False, "local[2]"), (False, None)])
def test_two_strategies_are_compared_here(thorough, master):
    spaces = (SimpleNamespace(calls=LARGE + 1),)
    if thorough or master:
        with pytest.raises(UsageError, match="it takes no --thorough and --master"):
            _master(spaces, thorough, master, 3, object())
    else:
        assert _master(spaces, thorough, master, 3, object()) == ""
