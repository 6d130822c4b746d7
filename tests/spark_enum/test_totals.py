"""Totals of counted cases are the same for any partitioning."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.spark_enum.jobs import TOTALS, from_row, to_rows
from rebalance_proofs.spark_enum.results import Totals, Wrong

sentences = st.none() | st.sampled_from(["no", "not at all"])
cases = st.tuples(st.integers(-(2**63), 2**64 - 1), sentences, sentences, sentences, st.integers(0, 9))
"""Digest, what differs, what breaks two guarantees, and a number."""
tables = st.lists(cases, min_size=8, max_size=8)

NAMES = ("disjoint", "covers")
SIZES = [((n, q), (digit,)) for n in (1, 2) for q in (1, 2) for digit in (0, 1)]


def totals(table, places) -> Totals:
    """Of the cases at these places."""
    found = Totals()
    found.broken.update(dict.fromkeys(NAMES, 0))
    for place in places:
        digest, differs, *broken, number = table[place]
        for one in (found, found.part("a claim")):
            one.counted += 1
            one.adds(digest)
            one.numbers["positions"] += number
            one.kept[str(place)] = (number, -number)
            if differs:
                one.differs(Wrong(*SIZES[place], differs))
            for name, said in zip(NAMES, broken, strict=True):
                if said:
                    one.breaks(name, Wrong(*SIZES[place], said))
    return found


def carried(found: Totals) -> Totals:
    """As it comes back from an executor."""
    whole = Totals()
    for row in pa.array(to_rows(7, found), TOTALS).to_pylist():
        number, part = from_row(row)
        assert number == 7
        original = found.parts[row["part"]] if row["part"] else found
        carried_ = part.parts[row["part"]] if row["part"] else part
        assert list(carried_.broken) == list(original.broken)  # reports tell them in this order
        whole.merge(part)
    return whole


@given(tables, st.permutations(range(8)), st.integers(0, 8))
def test_parts_add_up_to_the_total_in_any_order(table, order, cut) -> None:
    found = Totals()
    for places in (order[cut:], order[:cut]):
        found.merge(carried(totals(table, places)))
    assert found == totals(table, range(8)) == carried(totals(table, range(8)))


@given(tables)
def test_total_counts_all_cases(table) -> None:
    found = totals(table, range(8))
    assert found.counted == len(table)
    assert found.digest == sum(row[0] for row in table) % 2**64
    assert found.numbers["positions"] == sum(row[4] for row in table)
    wrong = [Wrong(*SIZES[place], row[1]) for place, row in enumerate(table) if row[1]]
    assert (found.differing, found.first) == (len(wrong), wrong[0] if wrong else None)
    for number, name in enumerate(NAMES, 2):
        violated = [Wrong(*SIZES[place], row[number]) for place, row in enumerate(table) if row[number]]
        assert found.broken[name] == len(violated)
        assert found.smallest.get(name) == (violated[0] if violated else None)


def test_new_totals_are_empty() -> None:
    assert carried(Totals()) == Totals()


def test_sentence_belongs_to_the_smallest_case() -> None:
    found = Totals()
    for size, said in (((2, 1), "two"), ((1, 3), "one"), ((1, 4), "more")):
        found.differs(Wrong(size, (), said))
        found.breaks("covers", Wrong(size, (), said))
    assert found.first == found.smallest["covers"] == Wrong((1, 3), (), "one")


def test_seconds_are_added() -> None:
    found = Totals(seconds=1.5)
    found.merge(Totals(seconds=2.0))
    assert found.seconds == 3.5
