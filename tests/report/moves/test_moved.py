"""Queues that change owners: proved formulas compared with the code, and the necessary number."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.moves import moved
from rebalance_proofs.report.moves.change import Event, Group
from rebalance_proofs.report.moves.moved import KAFKA, counted, moves

PROVED = {claim.id for claim in LEDGER if claim.holds}
BLOCKS = (AVERAGELY, AVERAGELY_BY_CIRCLE)


def group(event, queues, consumers, grown=0, brokers=1):
    there = consumers + (event is Event.JOIN)
    return Group(event, queues, consumers, tuple(f"c{number:02}" for number in range(there)), grown, brokers)


@pytest.mark.parametrize("strategy", BLOCKS, ids=lambda one: one.name)
@pytest.mark.parametrize("event", [Event.JOIN, Event.LEAVE, Event.CRASH])
def test_proved_formula_equals_the_code(strategy, event):
    for queues in range(1, 15):
        for consumers in range(1 if event is Event.JOIN else 2, 6):
            asked = group(event, queues, consumers)
            found = moves(strategy, asked, range(len(asked.ids)))
            assert set(found.claims) <= PROVED
            assert len(found.claims) == 2
            assert list(found.places) == [counted(strategy, asked, place) for place in range(len(asked.ids))]


@pytest.mark.parametrize("strategy", [one for one in (*ALL, *KAFKA) if one is not CONFIG], ids=lambda one: one.name)
@pytest.mark.parametrize("event", [Event.LEAVE, Event.CRASH])
def test_all_queues_of_the_leaving_consumer_are_needed(strategy, event):
    asked = group(event, 13, 4)
    queues = moved._queues(strategy, 13, 1)
    shares = [len(strategy.allocate(one, queues, asked.ids) or ()) for one in asked.ids]
    assert [found.needed for found in moves(strategy, asked, range(4)).places] == shares


def test_wrong_formula_is_noticed(monkeypatch):
    """The comparison above is not a tautology: another formula differs."""
    monkeypatch.setattr(moved, "changed_hands", lambda q, c, j: q - q // (c + 1))
    asked = group(Event.JOIN, 9, 3)
    assert list(moves(AVERAGELY, asked, [0]).places) != [counted(AVERAGELY, asked, 0)]


@given(some.sampled_from([*BLOCKS, CONSISTENT_HASH]), some.integers(1, 24), some.integers(1, 12), some.integers(1, 6))
def test_proved_growth_equals_the_code(strategy, queues, new, consumers):
    asked = group(Event.GROW, queues, consumers, queues + new)
    found = moves(strategy, asked, [])
    (one,) = found.places
    assert set(found.claims) <= PROVED
    assert one.hands == moved._grown(strategy, asked)


def test_growth_is_counted_without_an_exact_claim():
    assert moves(AVERAGELY, group(Event.GROW, 16, 4, 17), []).claims == ("growth.avg.appended",)
    assert moves(AVERAGELY, group(Event.GROW, 16, 4, 24), []).claims == ()
    assert moves(AVERAGELY_BY_CIRCLE, group(Event.GROW, 16, 4, 24, brokers=2), []).claims == ()
    assert moves(CONSISTENT_HASH, group(Event.GROW, 16, 4, 24, brokers=2), []).claims == ("growth.hash.steady",)


def balanced(queues, consumers):
    """Yield all balanced shares: numbers of queues that differ by at most one."""
    least, longer = divmod(queues, consumers)
    for places in combinations(range(consumers), longer):
        yield [least + (place in places) for place in range(consumers)]


@pytest.mark.parametrize("queues", range(1, 13))
@pytest.mark.parametrize("consumers", range(1, 5))
def test_needed_number_is_the_least_of_balanced_strategies(queues, consumers):
    """Between balanced shares, each consumer with too many queues gives the difference away."""
    joins = {
        sum(max(0, had - has) for had, has in zip([*before, 0], after, strict=True))
        for before in balanced(queues, consumers)
        for after in balanced(queues, consumers + 1)
    }
    asked = group(Event.JOIN, queues, consumers)
    assert {one.needed for one in moves(AVERAGELY, asked, range(consumers + 1)).places} == {min(joins)}
    for before in balanced(queues, consumers + 1):
        leaves = [
            sum(max(0, h - n) for h, n in zip(before, [*after, 0], strict=True))
            for after in balanced(queues, consumers)
        ]
        assert min(leaves) == before[-1]


@pytest.mark.parametrize("strategy", [one for one in (*ALL, *KAFKA) if one is not CONFIG], ids=lambda one: one.name)
def test_crash_equals_a_leave_and_a_reversed_join(strategy):
    leave, crash = (moves(strategy, group(event, 13, 4), range(4)) for event in (Event.LEAVE, Event.CRASH))
    join = moves(strategy, group(Event.JOIN, 13, 3), range(4))
    assert leave == crash
    assert [(one.hands, one.own) for one in leave.places] == [(one.hands, one.own) for one in join.places]


def test_kafka_on_one_topic_equals_rocketmq():
    asked = group(Event.JOIN, 16, 4)
    for own, other in zip(BLOCKS, KAFKA, strict=True):
        mine, theirs = moves(own, asked, range(5)), moves(other, asked, range(5))
        assert mine.places == theirs.places
        assert (mine.rocketmq, theirs.rocketmq, theirs.claims) == (True, False, ())


def test_moves_of_consistent_hash_depend_on_names():
    one = Group(Event.JOIN, 16, 4, tuple(f"c{number}" for number in range(5)))
    other = Group(Event.JOIN, 16, 4, tuple(f"10.0.0.{number}@1" for number in range(5)))
    assert moves(CONSISTENT_HASH, one, range(5)).places != moves(CONSISTENT_HASH, other, range(5)).places
    assert all(found.between == 0 for found in moves(CONSISTENT_HASH, one, range(5)).places)
