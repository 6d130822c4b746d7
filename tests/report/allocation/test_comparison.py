"""Both sides of groups with a reference."""

from rebalance_proofs.model.allocation import AVERAGELY
from rebalance_proofs.report.allocation.caption import Change, comparison
from tests.report.groups import grown, joined, smallest_of


def test_comparison_of_a_join():
    found = comparison(joined(AVERAGELY, 3, 2, 0).group)
    assert (found.kind, found.places, found.short) == ("join", (None, 0, 1), ("before", "now"))
    assert found.titles == ("before c0 joins", "after c0 has joined")
    assert [found.had(place) for place in range(3)] == [(), (0,), (1,)]
    assert found.changes == (Change(0, (1,), (0,)), Change(1, (2,), (1,)))


def test_comparison_of_added_queues():
    found = comparison(grown(AVERAGELY, 2, 4, 0, 2).group)
    assert (found.kind, found.in_time, found.short) == ("queues", True, ("before", "now"))
    assert found.titles == ("before queues 0 and 1 were added", "after queues 0 and 1 were added")
    assert [found.had(place) for place in range(2)] == [(2,), (3,)]
    assert found.changes == (Change(0, (), (0,)), Change(1, (), (0,)), Change(2, (0,), (1,)))


def test_comparison_of_two_clients():
    found = comparison(smallest_of("clients.hash+hash-go.same").group)
    assert not found.in_time
    assert (found.kind, found.places, found.short) == ("clients", (0, 1), ("Go", "Java/Rust"))
    assert found.titles == ("when run by the Go client", "when run by the Java or Rust client")
    assert found.changes == (Change(0, (0,), (1,)),)


def test_queue_assigned_by_one_client_only_is_a_change():
    found = comparison(smallest_of("clients.room+room-go.same").group)
    assert found.changes == (Change(0, (0,), ()),)


def test_single_group_has_no_comparison():
    assert comparison(smallest_of("allocation.room-go.listed").group) is None


def test_join_of_an_empty_group_has_an_empty_first_side():
    found = comparison(joined(AVERAGELY, 1, 1, 0).group)
    assert (found.before.rows, found.changes) == ((), (Change(0, (), (0,)),))
