"""Groups that change twice, and groups with several added consumers."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.worlds.restarts import RESTARTS, ids_of
from rebalance_proofs.model.worlds.several_joins import SEVERAL_JOIN
from rebalance_proofs.model.worlds.two_joins import TWO_JOINS


def ids(group):
    return [consumer.client_id for consumer in group.consumers]


def test_two_consumers_join_in_turn():
    group = TWO_JOINS.group((AVERAGELY,), 3, 2, (2, 0))
    assert [ids(stage) for stage in (group, group.reference, group.reference.reference)] == [
        ["c0", "c1", "c2"],
        ["c1", "c2"],
        ["c1"],
    ]
    assert {consumer.cid_all for consumer in group.reference.consumers} == {("c1", "c2")}


def test_restart_at_the_same_index_keeps_the_id():
    before, between, after = ids_of(3, 1, 1)
    assert (before, between, after) == (["c0", "c1", "c2"], ["c0", "c2"], ["c0", "c1", "c2"])


def test_restarted_id_sorts_at_its_new_index():
    for left in range(4):
        for back in range(4):
            before, between, after = ids_of(4, left, back)
            for listed in (before, between, after):
                assert listed == sorted(listed)
            assert [*before[:left], *before[left + 1 :]] == between == [*after[:back], *after[back + 1 :]]
            assert (before[left] == after[back]) is (left == back)


def test_restart_has_three_stages():
    group = RESTARTS.group((AVERAGELY,), 2, 1, (0, 1))
    stages = group, group.reference, group.reference.reference
    assert [ids(stage) for stage in stages] == [["c1", "c2"], ["c1"], ["c0", "c1"]]


def test_several_join_has_joiners_and_old_members():
    assert list(SEVERAL_JOIN.all_values(1, 1)) == []
    assert list(SEVERAL_JOIN.all_values(2, 1)) == [(0, 1), (1, 0)]
    group = SEVERAL_JOIN.group((AVERAGELY,), 3, 2, (1, 0, 1))
    assert (ids(group), ids(group.reference)) == (["c0", "c1", "c2"], ["c1"])
