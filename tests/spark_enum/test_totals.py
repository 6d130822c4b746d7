"""Counting groups part by part: however they are divided, the sum is the same."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.spark_enum.check import Checked
from rebalance_proofs.spark_enum.results import Violation
from rebalance_proofs.spark_enum.space import Configuration
from rebalance_proofs.spark_enum.totals import Totals

sentences = st.none() | st.sampled_from(["no", "not at all"])
digests = st.integers(-(2**63), 2**63 - 1)


@st.composite
def groups(draw, n: int, q: int, digits: tuple[int, ...]) -> Checked:
    """What was found of that group, for two guarantees."""
    found = [draw(sentences) for _ in range(3)]
    return Checked(Configuration(n, q, digits), draw(st.integers(0, 9)), draw(digests), found[0], tuple(found[1:]))


CONFIGURATIONS = [(n, q, digits) for n in (1, 2) for q in (1, 2) for digits in ((0,), (1,))]
tables = st.tuples(*(groups(*configuration) for configuration in CONFIGURATIONS))


def totals(checked: list[Checked]) -> Totals:
    found = Totals(2)
    found.add(checked)
    return found


@given(tables, st.permutations(range(len(CONFIGURATIONS))), st.integers(0, len(CONFIGURATIONS)))
def test_parts_add_up_to_the_whole_in_any_order(table: tuple[Checked, ...], order: list[int], cut: int) -> None:
    shuffled = [table[place] for place in order]
    parts = pickle.loads(pickle.dumps(totals(shuffled[cut:]))), totals(shuffled[:cut])
    parts[0].merge(parts[1])
    assert parts[0] == totals(list(table))


@given(tables)
def test_the_whole_is_counted(table: tuple[Checked, ...]) -> None:
    found = totals(list(table))
    assert found.groups == len(table)
    assert found.results == sum(row.configuration.consumers for row in table)
    assert found.positions == sum(row.positions for row in table)
    assert found.digest == sum(row.digest for row in table) % 2**64
    wrong = [row for row in table if row.mismatch]
    assert found.mismatches == len(wrong)
    assert (found.first_mismatch and size(found.first_mismatch)) == (size(wrong[0].configuration) if wrong else None)
    for place in range(2):
        violated = [row for row in table if row.violations[place]]
        assert found.violations[place] == len(violated)
        assert (found.smallest[place] and size(found.smallest[place])) == (
            size(violated[0].configuration) if violated else None
        )


def size(found: Configuration | Violation) -> tuple:
    """The table above is in this order."""
    return found.consumers, found.queues, found.values


@pytest.mark.parametrize("guarantees", [0, 1, 3])
def test_nothing_has_been_counted_in_the_beginning(guarantees: int) -> None:
    found = Totals(guarantees)
    assert (found.groups, found.first_mismatch) == (0, None)
    assert found.violations == [0] * guarantees
    assert found.smallest == [None] * guarantees


def test_the_sentence_comes_with_the_smallest() -> None:
    rows = [
        Checked(Configuration(n, q, ()), 0, 0, said, (said,))
        for n, q, said in ((2, 1, "two"), (1, 3, "one"), (1, 2, None), (1, 4, "more"))
    ]
    found = Totals(1)
    found.add(rows)
    assert found.first_mismatch.sentence == found.smallest[0].sentence == "one"
    assert found.first_mismatch.size == (1, 3)
