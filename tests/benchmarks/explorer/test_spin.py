"""SPIN's independent model of ``lock-lite`` has as many states and transitions as the explorer's."""

import re
import shutil
from itertools import accumulate

import pytest

from benchmarks.explorer import spin
from benchmarks.explorer.process import run
from tests.spark_enum.explorer.exploring import gone_through

SMALL = [(2, 2, 1), (2, 3, 2)]
STATES = 1 << 16
"""For which the search has a table."""


@pytest.fixture(autouse=True)
def _programs():
    if name := spin.missing():
        pytest.skip(f"there is no {name} on the PATH")


def by_spin(size, states=STATES, **model):
    with spin.verifier(size, **model) as made:
        found = made.search(states)
    return found.states, found.transitions


def by_us(size):
    found = ours(size)
    return found.states, found.transitions


def ours(size):
    consumers, queues, messages = size
    return gone_through("lock-lite", consumers=consumers, queues=queues, messages=messages)


def near(size, **model):
    """By a number of steps, how many states are at most so many away; no more than where the explorer's end."""
    with spin.verifier(size, ("-O0", *spin.BASE[1:], "-DREACH"), **model) as made:
        said = [run([made.folder / "pan", "-w16", f"-m{most + 1}"]).said for most in range(len(ours(size).levels))]
    return [int(re.search(r"(\d+) states, stored", one)[1]) for one in said]


@pytest.mark.parametrize("plain", [False, True], ids=["bits", "plain"])
@pytest.mark.parametrize("size", SMALL)
def test_spin_counts_equal_explorer_counts(size, plain):
    assert by_spin(size, plain=plain) == by_us(size)


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, True], ids=["bits", "plain"])
@pytest.mark.parametrize(
    "size", [(1, 1, 1), (1, 4, 3), (2, 1, 3), (2, 4, 1), (3, 1, 1), (3, 2, 2), (3, 3, 1), (3, 3, 2), (3, 4, 1)]
)
def test_spin_counts_equal_explorer_counts_for_other_groups(size, plain):
    assert by_spin(size, 5_000_000, plain=plain) == by_us(size)


@pytest.mark.slow
@pytest.mark.parametrize("build", spin.BUILDS, ids=" ".join)
def test_all_spin_builds_give_the_same_counts(build):
    assert by_spin((2, 2, 1), build=build, plain=True) == by_us((2, 2, 1))


@pytest.mark.parametrize("plain", [False, True], ids=["bits", "plain"])
def test_spin_and_explorer_have_the_same_states_per_level(plain):
    assert near((2, 3, 1), plain=plain) == [*accumulate(ours((2, 3, 1)).levels)]


MISTAKES = {
    "who crashes gives its locks back": ("ENDS(c); IS_TOLD(c)", "ALL_QUEUES(unlocks, c); ENDS(c); IS_TOLD(c)"),
    "others are not told that one has left": ("ENDS(c); TELLS_ALL", "ENDS(c); IS_TOLD(c)"),
    "a queue is taken that another one has locked": ("&& (lock[q] == 0 || lock[q] == c + 1)", ""),
    "a queue is given up without a commit": ("\t\tSENDS(c, q);\n\t\tGIVES(c, q)", "\t\tGIVES(c, q)"),
    "shares overlap": ("before < QUEUES % living -> before : QUEUES % living", "true -> 0 : 0"),
    "locks do not run out": ("lock[q] == c + 1 && !LIVES(c)", "false"),
    "who has rebalanced is told once more": ("SEES(c); IS_TOLD(c)", "SEES(c)"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_in_the_spin_model_changes_the_counts(mistake, tmp_path):
    size = 2, 3, 1
    right, wrong = MISTAKES[mistake]
    for file in spin.MODEL.parent.glob("*.pml"):
        shutil.copy(file, tmp_path)
    model, text = tmp_path / spin.MODEL.name, spin.MODEL.read_text(encoding="utf-8")
    assert text.count(right) == 1
    model.write_text(text.replace(right, wrong), encoding="utf-8")
    assert near(size, model=model) != [*accumulate(ours(size).levels)]


def test_spin_without_observed_lists_has_fewer_states():
    """This is the count if SPIN omitted the variables that nothing reads."""
    assert by_spin((2, 2, 1), translate=())[0] < by_us((2, 2, 1))[0]


def test_incomplete_spin_search_raises_runtime_error(monkeypatch):
    monkeypatch.setattr(spin, "DEPTH", 100)
    with pytest.raises(RuntimeError, match="max search depth too small"):
        by_spin((2, 2, 1))


def test_spin_model_of_a_larger_group_is_missing():
    with pytest.raises(RuntimeError, match="there is no model of so many"):
        by_spin((4, 2, 1))
