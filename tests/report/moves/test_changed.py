"""Moves of a change of several consumers: compared with the concrete strategies, over all ids and orders."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.config import CONFIG
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.movement.circle import stay
from rebalance_proofs.report.allocation.owners import owners_of
from rebalance_proofs.report.moves import by_name, several
from rebalance_proofs.report.moves import change as owners
from rebalance_proofs.report.moves.by_name import Order, over_ids
from rebalance_proofs.report.moves.change import Change, Named, Step, topic
from rebalance_proofs.report.moves.moved import KAFKA, changed
from rebalance_proofs.report.moves.several import How, at_once, circle_stay, join_costs, one_by_one, planned
from tests.each import each

STRATEGIES = [one for one in (*ALL, *KAFKA) if one is not CONFIG]
INDEXED = [one for one in STRATEGIES if owners.by_index(one)]
PROVED = {claim.id for claim in LEDGER if claim.holds}


@given(some.sampled_from(STRATEGIES), some.integers(1, 40), some.integers(1, 9), some.sampled_from("cxå@"))
def test_owners_equal_the_concrete_strategy(strategy, queues, consumers, letter):
    every = topic(strategy, queues, 1)
    ids = tuple(f"{letter}{number}" for number in range(consumers))
    assert owners.owners(strategy, every, ids) == owners_of(strategy, every, ids)


def test_wrong_owners_are_noticed(monkeypatch):
    """The comparison above is not a tautology: it fails for blocks that are one queue longer at the end."""
    monkeypatch.setitem(owners.FORMS, "avg", lambda q, c: [c - 1 - one for one in reversed(owners.in_blocks(q, c))])
    every = topic(AVERAGELY, 7, 1)
    assert owners.owners(AVERAGELY, every, ("a", "b")) != owners_of(AVERAGELY, every, ("a", "b"))


@cache
def owned(strategy, queues, ids, brokers=1):
    """Return queue -> id of its owner, by the concrete code."""
    every = topic(strategy, queues, brokers)
    return {
        queue: None if at is None else ids[at] for queue, at in zip(every, owners_of(strategy, every, ids), strict=True)
    }


def moved(strategy, before, after, brokers=1):
    """Return the moves between two states, each with its number of queues and its ids."""
    had, has = (owned(strategy, queues, tuple(sorted(ids)), brokers) for queues, ids in (before, after))
    return sum(owner is not None and owner != has[queue] for queue, owner in had.items())


def walks(change) -> Iterator[tuple[Named, tuple[Step, ...]]]:
    """Yield all ids before the change with all orders of its events; leaves come first."""
    ids = [f"c{number}" for number in range(change.before + change.join + change.restart)]
    for old in combinations(ids, change.before):
        new = [one for one in ids if one not in old]
        for gone in permutations(old, change.leave + change.restart):
            for come in permutations(new):
                pairs = zip(gone[: change.restart], come[: change.restart], strict=True)
                steps = [Step(leaves=one, joins=other) for one, other in pairs]
                steps += [Step(leaves=one) for one in gone[change.restart :]]
                steps += [Step(joins=one) for one in come[change.restart :]]
                for at in range(len(steps) + 1) if change.grown else [None]:
                    whole = steps if at is None else [*steps[:at], Step(grows=True), *steps[at:]]
                    yield Named(old, tuple(whole)), tuple(whole)


def brute(strategy, change):
    """Return the moves at once and one by one of every walk."""
    once, single = [], []
    for named, steps in walks(change):
        queues, ids, total = change.queues, frozenset(named.before), 0
        for step in steps:
            states = [(queues, ids)]
            if step.leaves:
                ids -= {step.leaves}
                states.append((queues, ids))
            if step.joins:
                ids |= {step.joins}
                states.append((queues, ids))
            if step.grows:
                queues = change.grown
                states.append((queues, ids))
            total += sum(moved(strategy, *pair, change.brokers) for pair in pairwise(states))
        once.append(moved(strategy, (change.queues, named.before), (queues, ids), change.brokers))
        single.append(total)
    return once, single


def numbers(found):
    return found.least, found.average, found.worst


def listed(found):
    return min(found), Fraction(sum(found), len(found)), max(found)


CHANGES = (
    Change(24, 3, join=2),
    Change(7, 1, join=3),
    Change(9, 4, leave=3),
    Change(2, 3, join=1),
    Change(10, 3, leave=1, join=1),
    Change(11, 3, leave=2, join=2),
    Change(9, 2, restart=1),
    Change(10, 3, restart=2),
    Change(7, 3, restart=3),
    Change(6, 2, join=2, grown=9),
    Change(6, 3, leave=1, join=1, grown=10),
    Change(5, 3, restart=1, grown=8),
    Change(6, 2, join=1, grown=10, brokers=2),
)


@each("change", CHANGES)
@each("strategy", [AVERAGELY, AVERAGELY_BY_CIRCLE], ids=lambda one: one.name)
def test_numbers_are_those_of_all_ids_and_orders(change, strategy):
    once, single = brute(strategy, change)
    assert numbers(at_once(strategy, change)) == listed(once)
    found = one_by_one(strategy, change)
    assert (numbers(found), found.how) == (listed(single), How.EXACT)
    plan, how = planned(strategy, change)
    assert (sum(one.moves for one in plan), how) == (min(single), How.EXACT)


@given(
    some.sampled_from(INDEXED),
    some.integers(1, 12),
    some.integers(1, 3),
    some.integers(0, 2),
    some.integers(0, 2),
)
@settings(deadline=None, max_examples=25)
def test_any_change_has_the_numbers_of_all_ids_and_orders(strategy, queues, stay_, leave, join):
    change = Change(queues, stay_ + leave, leave, join)
    once, single = brute(strategy, change)
    assert numbers(at_once(strategy, change)) == listed(once)
    assert numbers(one_by_one(strategy, change)) == listed(single)


def test_issue_example_from_3_to_7_consumers():
    change = Change(24, 3, join=4)
    assert numbers(at_once(AVERAGELY, change))[::2] == (13, 21)
    assert numbers(one_by_one(AVERAGELY, change))[::2] == (26, 58)


def test_wrong_average_or_extreme_is_noticed(monkeypatch):
    """The comparisons above fail for the wrong number of expected consumers, and for joins that cost one move less."""
    change = Change(10, 3, leave=1, join=1)
    once, single = brute(AVERAGELY, change)
    with monkeypatch.context() as patched:
        patched.setattr(several, "_expected", lambda a, b, before, after, stay: Fraction(stay, before * after))
        assert at_once(AVERAGELY, change).average != listed(once)[1]
    monkeypatch.setattr(several, "join_costs", lambda s, q, c: tuple(one - 1 for one in join_costs(s, q, c)))
    assert numbers(one_by_one(AVERAGELY, change)) != listed(single)


@given(some.integers(1, 200), some.integers(1, 9), some.integers(0, 9))
def test_closed_form_of_circle_equals_the_proved_count(queues, others, place):
    place = min(place, others)
    assert circle_stay(queues, others, place) == stay(queues, others, place)


@pytest.mark.parametrize("strategy", INDEXED, ids=lambda one: one.name)
def test_join_costs_equal_the_code(strategy):
    for queues in range(1, 12):
        for others in range(1, 5):
            ids = [f"c{number}" for number in range(others + 1)]
            wanted = tuple(
                moved(strategy, (queues, ids[:at] + ids[at + 1 :]), (queues, ids)) for at in range(others + 1)
            )
            assert join_costs(strategy, queues, others) == wanted


def test_bounds_of_many_restarts_hold():
    """With few consumers, the bounds that are used for many hold for the exact numbers."""
    for queues in (7, 12, 20):
        for strategy in (AVERAGELY, AVERAGELY_BY_CIRCLE):
            change = Change(queues, 4, restart=4)
            exact = one_by_one(strategy, change)
            plans = [several._cheapest(change, costs) for _, costs in several._each(strategy, change)]
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(several, "PATTERNS", 3)
                bound = one_by_one(strategy, change)
                tries, how = planned(strategy, change)
            assert bound.how is How.BOUND
            assert how is How.FOUND
            assert bound.least <= exact.least <= exact.worst <= bound.worst
            assert bound.average == exact.average
            assert exact.least == sum(one.moves for one in plans[0]) <= sum(one.moves for one in tries) <= exact.worst


@each(
    "change",
    [
        Change(9, 2, join=2),
        Change(9, 4, leave=2),
        Change(8, 2, leave=1, join=1),
        Change(8, 2, restart=1),
        Change(8, 3, restart=2),
        Change(6, 2, join=1, grown=9),
    ],
)
def test_consistent_hash_is_exact_over_all_choices_of_few_ids(change):
    once, single = brute(CONSISTENT_HASH, change)
    found = over_ids(CONSISTENT_HASH, change)
    assert found.once.how is found.single.how is How.EXACT
    assert numbers(found.once) == listed(once)
    assert numbers(found.single) == listed(single)
    assert found.plan.total == min(single)


def test_some_choices_of_many_ids_are_marked_and_repeatable():
    change = Change(64, 20, join=10)
    found = over_ids(CONSISTENT_HASH, change)
    assert found.once.how is found.single.how is found.plan.how is How.FOUND
    assert found.once.least <= found.once.average <= found.once.worst
    assert over_ids(CONSISTENT_HASH, change) == found


IDS = Named(
    ("a", "b", "c"),
    (Step(leaves="b"), Step(joins="aa"), Step(joins="d"), Step(leaves="c", joins="bb"), Step(grows=True)),
)


@pytest.mark.parametrize(
    "strategy", [AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, MACHINE_ROOM], ids=lambda s: s.name
)
def test_given_ids_are_tried_in_all_orders(strategy):
    change = Change(11, 3, 1, 2, 1, 14, 1, IDS)
    totals = []
    for order in permutations(IDS.steps):
        queues, ids, total = 11, frozenset("abc"), 0
        for step in order:
            for gone, come, grows in (
                [(step.leaves, "", False), ("", step.joins, False)]
                if step.leaves and step.joins
                else [(step.leaves, step.joins, step.grows)]
            ):
                after = 14 if grows else queues, (ids - {gone}) | ({come} if come else set())
                total += moved(strategy, (queues, ids), after)
                queues, ids = after
        totals.append(total)
    found = changed(strategy, change)
    assert numbers(found.single) == listed(totals)
    assert found.once.worst == moved(strategy, (11, "abc"), (14, ["a", "aa", "bb", "d"]))
    assert isinstance(found.plan, Order)
    assert (found.plan.total, found.plan_how) == (min(totals), How.EXACT)


def test_more_than_eight_events_are_planned_by_a_heuristic(monkeypatch):
    steps = tuple(Step(joins=f"d{number}") for number in range(5))
    change = Change(20, 2, join=5, named=Named(("c", "e"), steps))
    exact = changed(AVERAGELY, change)
    monkeypatch.setattr(by_name, "EXACT", 4)
    found = changed(AVERAGELY, change)
    assert (exact.plan_how, found.plan_how, found.single.how) == (How.EXACT, How.FOUND, How.FOUND)
    assert exact.single.least <= found.single.least
    assert found.single.worst <= exact.single.worst


@pytest.mark.parametrize(
    "change",
    [
        Change(24, 2, join=9, named=Named(("a", "b"), tuple(Step(joins=one) for one in "cdefghijk"))),
        Change(24, 9, 8, named=Named(tuple("abcdefghi"), tuple(Step(leaves=one) for one in "abcdefgh"))),
        Change(1024, 4, join=16),
        Change(1024, 2, join=62),
    ],
    ids=["nine join", "eight leave", "sixteen join", "many join"],
)
@pytest.mark.parametrize("strategy", [AVERAGELY, CONSISTENT_HASH, CONSISTENT_HASH_GO], ids=lambda one: one.name)
def test_average_is_between_the_fewest_and_the_most_moves(strategy, change):
    found = changed(strategy, change)
    for one in (found.once, found.single):
        assert one.least <= one.average <= one.worst


def test_heuristic_order_is_near_the_best_one(monkeypatch):
    steps = tuple(Step(joins=one) for one in "cdefghijk")
    change = Change(24, 2, join=9, named=Named(("a", "b"), steps))
    found = changed(AVERAGELY, change)
    monkeypatch.setattr(by_name, "EXACT", 9)
    exact = changed(AVERAGELY, change)
    assert found.plan_how is How.FOUND
    assert (found.single.least, found.single.worst) == (exact.single.least, exact.single.worst)


def test_a_group_never_gets_empty_on_the_way():
    """The only old consumer leaves after the new one has joined."""
    steps = (Step(leaves="a"), Step(joins="b"), Step(joins="c"))
    found = changed(AVERAGELY, Change(6, 1, 1, 2, named=Named(("a",), steps)))
    assert isinstance(found.plan, Order)
    assert found.plan.steps[0].joins
    totals = []
    for order in permutations(steps):
        ids, total = {"a"}, 0
        for step in order:
            after = ids - {step.leaves} | ({step.joins} if step.joins else set())
            total += moved(AVERAGELY, (6, ids), (6, after)) if after else 0
            ids = after
        totals += [total] * (order[0] is not steps[0])
    assert numbers(found.single) == listed(totals)


def test_shares_after_the_change_and_their_level():
    assert changed(AVERAGELY, Change(24, 3, join=4)).shares == (3, 4)
    assert changed(AVERAGELY, Change(24, 3, join=4)).level
    assert not changed(CONSISTENT_HASH, Change(24, 3, join=4)).level


def test_named_claims_are_proved():
    for strategy in STRATEGIES:
        assert set(changed(strategy, Change(12, 2, join=2)).steps) <= PROVED


def test_a_thousand_queues_and_64_consumers_need_no_strategy_calls(monkeypatch):
    """No time is asserted here except a generous one; the benchmark measures it."""
    monkeypatch.setattr(owners, "owners_of", lambda *given: pytest.fail("the strategy was called"))
    began = process_time()
    for strategy in STRATEGIES:
        changed(strategy, Change(1024, 32, join=32))
    assert process_time() - began < 60
