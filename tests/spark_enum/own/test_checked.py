"""Results for strategies as users write them: correct ones hold, wrong ones show the smallest group."""

import pytest

from rebalance_proofs.model.own import python
from rebalance_proofs.model.own.asked import PATIENCE, Asked
from rebalance_proofs.model.own.named import named
from rebalance_proofs.model.own.names import NAMINGS
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.own.told import verdict
from rebalance_proofs.report.own.told_parts import grid
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own import here
from rebalance_proofs.spark_enum.own.checked import check
from rebalance_proofs.spark_enum.own.here import HOPELESS, STILL_HOPELESS, Here
from rebalance_proofs.spark_enum.own.repeated import repeated, small
from rebalance_proofs.spark_enum.own.rows import NEEDED, Holds, failing
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from tests.model.own import hostile
from tests.spark_enum.own import strategies
from tests.spark_enum.own.here import Calling, checked


def _asked(function):
    return Asked(Calling(function, 4))


def standing(found):
    return {row.name: row.holds for row in found.rows}


def smallest(found, name):
    (row,) = [row for row in found.rows if row.name == name]
    return row.smallest


@pytest.mark.parametrize("name", ["from_the_end", "snake", "remainder_to_the_last"])
def test_correct_strategy_holds(name):
    found = checked(getattr(strategies, name), 4)
    assert not list(failing(found.rows, (*NEEDED, "balanced", "sublist", "idle", "served")))
    assert not any(row.name.startswith("returns") and row.holds is Holds.NO for row in found.rows)


def test_rendezvous_hashing_is_correct_but_not_balanced():
    found = checked(strategies.rendezvous)
    told = standing(found)
    assert not list(failing(found.rows, NEEDED))
    assert told["balanced"] is Holds.NO
    assert told["monotone"] is told["steady"] is told["own-only"] is Holds.YES
    assert found.movement.changed < found.movement.by_avg


@pytest.mark.parametrize(
    ("name", "row", "key"),
    [
        ("overlaps", "disjoint", "agreed/plain/2x2"),
        ("forgets_the_remainder", "covers", "agreed/plain/2x1"),
        ("gives_the_remainder_to_one", "balanced", "agreed/plain/3x2"),
        ("reads_queue_ids", "covers", "agreed/brokers/2x2"),
        ("throws_without_a_queue", "returns", "agreed/plain/2x1"),
        ("foreign", "inside", "agreed/plain/1x3"),
        ("twice", "inside", "agreed/plain/1x1"),
    ],
)
def test_smallest_group_of_a_wrong_strategy_is_found(name, row, key):
    found = checked(getattr(strategies, name))
    assert smallest(found, row).key == key
    assert found.examples[row].size[:2] == smallest(found, row).wrong.size


def test_smallest_group_over_all_namings_is_reported():
    found = checked(strategies.overlaps)
    assert smallest(found, "disjoint").space.naming.name == "plain"
    (row,) = [row for row in found.rows if row.name == "disjoint"]
    sizes = [one.tried.broken["disjoint"].size for one in row.found]
    assert len(sizes) == len(NAMINGS)
    assert smallest(found, "disjoint").wrong.size == min(sizes)


def test_strategy_that_reads_ids_fails_with_other_names():
    found = checked(strategies.reads_ids)
    assert smallest(found, "covers").space.naming.name != "plain"


@pytest.mark.parametrize("name", ["turns", "goes_by_hashes"])
def test_nondeterministic_strategy_is_found(name):
    what = named(f"{strategies.__file__}:{name}")
    extent = Extent(Bounds(4, 4, groups=10))
    found = check(spaces(extent), lambda number, *held: PythonWorker(what, seed=number + 1, held=held))
    assert standing(found)["repeats"] is Holds.NO
    assert "in a repeated call" in smallest(found, "repeats").wrong.sentence


def test_violation_at_a_single_size_is_found():
    (space, *_) = spaces(Extent(Bounds(6, 40)))
    found = check([space], lambda number: Calling(strategies.fails_at_one_size))
    assert smallest(found, "covers").key == "agreed/plain/6x37"
    assert smallest(found, "covers").wrong.sentence == "queues 31 to 36 have no consumer."


def test_timeout_reports_how_far_the_check_came():
    (space, *_) = spaces(Extent(Bounds(64, 64)))
    (found,) = Here(1e-9)([space], _asked(strategies.snake))
    assert found.cut
    assert 0 < found.tried.groups < found.expected == 64 * 64


def test_guarantee_does_not_hold_where_time_ran_out():
    """With slow code: the first number of a space need not name a group."""
    every = spaces(Extent(Bounds(4, 4, groups=10)))
    found = check(every, lambda number: Calling(strategies.snake, 4), do=Here(1e-9))
    untried = [row for row in found.rows if row.holds is Holds.UNTRIED]
    assert {"no-return", "once"} <= {row.name for row in untried}
    assert all(any(not one.tried.groups for one in row.found) for row in untried)
    assert all(one.tried.groups for row in found.rows if row.holds is Holds.YES for one in row.found)
    assert {row.name for row in failing(found.rows, ("returns", "no-return"))} == {"no-return"}
    said = verdict(Answer(Strategy("mine", "python"), (), found, ("returns", "no-return")))
    assert said == "not tried: no-return"


def test_each_naming_is_repeated_even_if_the_first_is_slow(monkeypatch):
    """However slow the first naming is."""
    monkeypatch.setattr(here, "AGAIN", 0.0)
    asked, another = _asked(strategies.snake), _asked(strategies.snake)
    found = here.again(spaces(Extent(Bounds(4, 4, groups=10))), asked, another)
    assert len(found) == len(NAMINGS)
    assert all(one.tried.groups for one in found)


def test_group_without_a_result_has_no_other_violation():
    found = checked(strategies.throws_without_a_queue)
    (row,) = [row for row in found.rows if row.name == "monotone"]
    assert any(one.tried.unjudged for one in row.found)
    assert row.holds is not Holds.YES


def test_strategy_that_never_returns_a_list_is_not_called_forever():
    found = checked(strategies.never)
    (row,) = [row for row in found.rows if row.name == "disjoint"]
    assert [one.tried.groups for one in row.found] == [HOPELESS, *[STILL_HOPELESS] * 3]
    assert standing(found)["returns"] is Holds.NO
    assert standing(found)["disjoint"] is Holds.UNTOLD
    (repeats,) = [row for row in found.rows if row.name == "repeats"]
    assert repeats.holds is Holds.UNTOLD
    assert all(STILL_HOPELESS <= one.tried.groups < 2 * STILL_HOPELESS and not one.cut for one in repeats.found)


@pytest.mark.parametrize(("name", "arguments", "less"), [("overlaps", 3, True), ("snake", 4, False)])
def test_repeated_calls_take_at_most_a_third_of_the_time(monkeypatch, name, arguments, less):
    class Slow(Calling):
        """Each call takes a second."""

        calls = 0

        def answers(self, calls):
            self.calls += len(calls)
            return super().answers(calls)

        def seconds(self):
            return self.calls

    every, took = spaces(Extent(Bounds(8, 8, groups=100))), []
    for known in (here.KNOWN, 1):
        monkeypatch.setattr(here, "KNOWN", known)
        slow = Slow(getattr(strategies, name), arguments)
        Here(3000)(every, Asked(slow))
        took.append(slow.calls)
    assert (took[0] < 0.8 * took[1]) == less


def test_strategy_that_ends_its_process_is_restarted_a_few_times():
    what = named(f"{hostile.__file__}:exits_at_once")
    found = check(spaces(Extent(Bounds(8, 8))), lambda number: PythonWorker(what))
    assert found.gave_up
    assert found.calls == PATIENCE
    assert {row.name: row.holds for row in found.rows if row.name in NEEDED} == {
        "returns": Holds.NO,
        **dict.fromkeys(("repeats", "inside", "disjoint", "covers"), Holds.UNTOLD),
    }


def test_repetition_ends_with_its_time():
    (space, *_) = spaces(Extent(Bounds(8, 8)))
    asked, another = _asked(strategies.snake), _asked(strategies.snake)
    assert repeated(small(space), asked, another, until=0.0).groups == 0
    assert repeated(small(space), asked, another).groups == 64


def test_group_that_hangs_is_drawn():
    what = named(f"{hostile.__file__}:hangs_with_three")
    found = check(spaces(Extent(Bounds(4, 4))), lambda number: PythonWorker(what, limit=0.2))
    assert smallest(found, "returns").key == "agreed/plain/3x1"
    lines = list(grid(found.examples["returns"]))
    assert [line.partition("   ")[2].strip() for line in lines[2:5]] == [
        ".   has not returned after 0.2 s",
        ".   has not returned after 0.2 s",
        ".   was not called again",
    ]


AGES = """
from itertools import count
number = count()
def allocate(cid, mq_all, cid_all):
    mine = mq_all[cid_all.index(cid) :: len(cid_all)]
    return mine if next(number) < {after} else mq_all
"""


def in_processes(place, text, monkeypatch):
    """What is found up to 4 queues and 4 consumers, and how many processes that took."""
    began, child = [], python._Child
    monkeypatch.setattr(python, "_Child", lambda *given: began.append(given) or child(*given))
    file = place / "mine.py"
    file.write_text(text, encoding="utf-8")
    what = named(str(file))
    found = check(spaces(Extent(Bounds(4, 4))), lambda number, *held: PythonWorker(what, seed=number + 1, held=held))
    return found, len(began)


def test_examples_come_from_copies_of_one_fresh_process(tmp_path, monkeypatch):
    """Of a deterministic strategy: two are called, two at other times, and one is forked for each example."""
    found, processes = in_processes(tmp_path, AGES.format(after="float('inf')"), monkeypatch)
    assert len(found.examples) > 5
    assert processes == 5


@pytest.mark.parametrize("after", [20, 400])
def test_violation_after_other_calls_has_no_example(tmp_path, monkeypatch, after):
    """In a process with earlier calls for other examples it would have one."""
    found, _ = in_processes(tmp_path, AGES.format(after=after), monkeypatch)
    (repeats,) = [row for row in found.rows if row.name == "repeats"]
    assert repeats.holds is Holds.NO
    assert "disjoint" not in found.examples
