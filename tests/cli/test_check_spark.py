"""Groups of a user-defined strategy that are tried on Spark, and guarantees that are required of them."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.model.allocation import AVERAGELY
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own.check import LARGE, _master, _required
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.rows import ALWAYS, names
from rebalance_proofs.spark_enum.own.spaces import Extent, compared, spaces


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
def test_many_calls_go_to_spark_and_few_stay_local(calls, thorough, master, where):
    spaces = tuple(SimpleNamespace(calls=many) for many in calls)
    assert _master(spaces, thorough, master, 3, None) == where


@pytest.mark.parametrize(("thorough", "master"), [(True, None), (False, "local[2]"), (False, None)])
def test_two_strategies_are_compared_locally(thorough, master):
    spaces = (SimpleNamespace(calls=LARGE + 1),)
    if thorough or master:
        with pytest.raises(UsageError, match="leave out --thorough and --master"):
            _master(spaces, thorough, master, 3, object())
    else:
        assert _master(spaces, thorough, master, 3, object()) == ""


EXTENT = Extent(Bounds(2, 2), False)
EVERY = spaces(EXTENT)
KNOWN = list(dict.fromkeys(name for space in EVERY for name in names(space)))


def test_default_requirements():
    assert _required(None, EVERY, None) == (*ALWAYS, "disjoint", "covers")
    assert _required(None, compared(EXTENT, AVERAGELY, None), AVERAGELY) == ("same",)


def test_all_guarantees_of_a_single_group_are_required():
    """By default, no guarantee of a group with a dropped assumption or a change is required."""
    for space in EVERY:
        told = names(space)
        needed = tuple(name for name in told if name in (*ALWAYS, "disjoint", "covers"))
        assert _required(None, [space], None) == (needed or told), space


@pytest.mark.parametrize("holds", ["sublist", " covers , disjoint,", "repeats", "balanced,covers"])
def test_named_guarantees_are_required_besides_the_usual_ones(holds):
    named = {name.strip() for name in holds.split(",")} - {""}
    assert _required(holds, EVERY, None) == tuple(name for name in KNOWN if name in {*ALWAYS, *named})


@pytest.mark.parametrize(
    ("holds", "said"),
    [
        (" ,", "--holds: ' ,' names no guarantee; the guarantees are "),
        ("disjiont", "--holds: unknown guarantee 'disjiont'; did you mean 'disjoint'? the guarantees are "),
        ("xyz,covers", "--holds: unknown guarantee 'xyz'; the guarantees are "),
        ("covrs,disjiont", "--holds: unknown guarantee 'covrs' and 'disjiont'; did you mean 'covers' and 'disjoint'? "),
    ],
)
def test_unknown_guarantee_is_rejected(holds, said):
    with pytest.raises(UsageError) as refused:
        _required(holds, EVERY, None)
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith(", ".join(KNOWN))
