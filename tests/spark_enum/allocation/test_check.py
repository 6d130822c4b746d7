"""Check of a batch of groups: code against encoding, formula against results, and the digest."""

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product

import pytest

from rebalance_proofs.model.allocation import STRATEGIES, Strategy
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.premises import OWN_ID_LISTED, PREMISES
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.worlds.groups import AGREED, Groups, SymbolicGroup
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.model.worlds.kinds import KIND_GROUPS
from rebalance_proofs.model.worlds.ring_views import RINGS_OF_1
from rebalance_proofs.proofs.allocation.claims import GUARANTEES, WITHOUT
from rebalance_proofs.proofs.allocation.covers import COVERS
from rebalance_proofs.proofs.allocation.disjoint import DISJOINT
from rebalance_proofs.proofs.allocation.lists import SUBLIST
from rebalance_proofs.spark_enum.allocation.group_check import MOST_CONSUMERS, Checked, GroupCheck, violation_kernel
from rebalance_proofs.spark_enum.allocation.space import Configuration, Space
from tests.each import each
from tests.model.worlds.every import CASES, CLAIMS, each_case
from tests.proofs.mutants import all_mutants, broken

AVG, CIRCLE = STRATEGIES[:2]
DISTINCT_IDS = PREMISES[0]

by_strategy = each("strategy", STRATEGIES, ids=lambda strategy: strategy.name)


def run(check: GroupCheck, max_consumers: int = 3, max_queues: int = 4) -> list[Checked]:
    return list(check(Space(check.world, max_consumers, max_queues)))


def mismatches(check: GroupCheck) -> list[str]:
    return [found.mismatch for found in run(check) if found.mismatch]


def with_code(strategy: Strategy, allocate: Callable) -> GroupCheck:
    return GroupCheck(AGREED, (replace(strategy, allocate=allocate),), (DISJOINT,))


@pytest.mark.parametrize("world", [AGREED, JOINS, *PREMISES], ids=lambda world: world.name)
def test_correct_models_have_no_mismatch(world: Groups) -> None:
    guarantees = tuple(guarantee for guarantee in GUARANTEES if not world.dropped or guarantee in WITHOUT)
    for first in range(len(STRATEGIES) - world.subjects + 1):
        check = GroupCheck(world, STRATEGIES[first : first + world.subjects], guarantees)
        checked = run(check)
        assert [found.mismatch for found in checked if found.mismatch] == []
        assert [found.configuration for found in checked] == list(Space(world, 3, 4))
        for found in checked:
            assert len(found.violations) == len(guarantees)


@each_case
def test_correct_models_of_sized_worlds_have_no_mismatch(world: Groups, strategies: tuple[Strategy, ...]) -> None:
    check = GroupCheck(world, strategies, guarantees_of(world, strategies))
    assert check.guarantees
    configurations = small_groups(world)
    checked = list(check(configurations))
    assert [found.mismatch for found in checked if found.mismatch] == []
    assert [found.configuration for found in checked] == configurations
    for found in checked:
        assert found.positions == found.configuration.consumers * found.configuration.queues


def guarantees_of(world: Groups, strategies: tuple[Strategy, ...]) -> tuple:
    """What is claimed of these strategies in that case."""
    return tuple(
        claim.guarantee for claim in CLAIMS if claim.subjects == strategies and world in (claim.world, *claim.also)
    )


def small_groups(world: Groups, many: int = 150) -> list[Configuration]:
    """Of one or two consumers and queues; where there are many of a size, about so many, evenly spread."""
    found = []
    for n, q in product(*(range(1, min(most, 2) + 1) for most in world.bound)):
        values = list(world.all_values(n, q))
        found += [Configuration(n, q, digits) for digits in values[:: len(values) // many + 1]]
    return found


@by_strategy
def test_every_position_and_one_beyond_either_end_is_compared(strategy: Strategy) -> None:
    for found in run(GroupCheck(AGREED, (strategy,), ())):
        n, q = found.configuration.consumers, found.configuration.queues
        assert found.positions == n * (q + 2)


def test_only_listed_consumers_are_compared() -> None:
    for found in run(GroupCheck(OWN_ID_LISTED, (AVG,), ())):
        listed = found.configuration.values.count(0)
        n, q = found.configuration.consumers, found.configuration.queues
        assert found.positions == listed * (q + 2) + n * q


MUTANTS = {name: pair for name, pair in all_mutants(*STRATEGIES).items() if not broken(*pair).world.sized}


@each(("strategy", "mutant"), MUTANTS.values(), ids=MUTANTS)
def test_wrong_encoding_is_reported_with_its_position(strategy: Strategy, mutant: Mutant) -> None:
    checked = run(GroupCheck(AGREED, (replace(strategy, encoding=mutant.encoding),), ()))
    found = next(found for found in checked if found.mismatch)
    where, _, seen = found.mismatch.partition(": ")
    assert where.startswith(f"{strategy.name} at q = {found.configuration.queues}, c = ")
    index = int(where.rpartition(" ")[2])
    group = AGREED.group((strategy,), found.configuration.consumers, found.configuration.queues, ())
    positions = [group.queues.index(queue) for queue in group.consumers[index].allocate()]
    assert seen == f"concrete result {positions}"


def test_wrong_encoding_of_a_sized_world_is_reported_with_the_queue() -> None:
    (mutant,) = [mutant for mutant in MACHINE_ROOM.mutants if mutant.name == "whole-list-for-kept-list"]
    assert broken(MACHINE_ROOM, mutant).world is KIND_GROUPS
    wrong = replace(MACHINE_ROOM, encoding=mutant.encoding)
    in_the_room, elsewhere = 0, 1
    checked = list(GroupCheck(KIND_GROUPS, (wrong,), ())(small_groups(KIND_GROUPS)))
    said = {found.configuration: found.mismatch for found in checked}
    assert said[Configuration(1, 2, (elsewhere, in_the_room))] == "formula and concrete result differ at queue 0"
    assert said[Configuration(1, 2, (in_the_room, elsewhere))] is None


WRONG_PARTS = {
    "owns beyond the end": {"owns": lambda right: lambda q, c, i, p: smt.Or(right.owns(q, c, i, p), p == q)},
    "owns before the start": {"owns": lambda right: lambda q, c, i, p: smt.Or(right.owns(q, c, i, p), p == -1)},
    "owns nothing": {"owns": lambda right: lambda q, c, i, p: smt.And(p == 0, p == 1)},
    "counts one more": {"count": lambda right: lambda q, c, i: right.count(q, c, i) + 1},
    "counts what is nothing": {"count": lambda right: lambda q, c, i: smt.If(q < c, 1, right.count(q, c, i))},
    "lists backwards": {
        "element": lambda right: lambda q, c, i, k: right.element(q, c, i, right.count(q, c, i) - 1 - k)
    },
}


@by_strategy
@each("parts", WRONG_PARTS.values(), ids=WRONG_PARTS)
def test_each_part_of_the_encoding_is_compared(strategy: Strategy, parts: dict[str, Callable]) -> None:
    right = strategy.encoding
    wrong = replace(right, **{name: make(right) for name, make in parts.items()})
    assert mismatches(GroupCheck(AGREED, (replace(strategy, encoding=wrong),), ()))


WRONG_CODE = {
    "nothing": lambda right: lambda *view: [],
    "all": lambda right: lambda cid, mq_all, cid_all: list(mq_all),
    "backwards": lambda right: lambda *view: right(*view)[::-1],
    "twice": lambda right: lambda *view: right(*view) * 2,
    "the last consumer's": lambda right: lambda cid, mq_all, cid_all: right(cid_all[-1], mq_all, cid_all),
}


@by_strategy
@each("wrong", WRONG_CODE.values(), ids=WRONG_CODE)
def test_wrong_code_is_reported(strategy: Strategy, wrong: Callable) -> None:
    assert mismatches(with_code(strategy, wrong(strategy.allocate)))


SEEN = {
    name: ["all"] if world.name == "no-virtual-nodes" else ["nothing", "all", "twice"]
    for name, (world, _) in CASES.items()
}
"""Wrong code that can be told in each case: who takes what, and how much; in no order. On an empty ring is nothing."""


IN_TURN = {(name, seen[place % len(seen)]) for place, (name, seen) in enumerate(SEEN.items())}
"""One of them for each case."""


def in_other_cases(chosen: Collection[tuple[str, str]]) -> Callable:
    cases = [pytest.param(*CASES[name], WRONG_CODE[wrong], id=f"{name}-{wrong}") for name, wrong in chosen]
    return each(("world", "strategies", "change"), cases)


@in_other_cases(sorted(IN_TURN))
def test_wrong_code_is_reported_in_sized_worlds(
    world: Groups, strategies: tuple[Strategy, ...], change: Callable
) -> None:
    told(world, strategies, change)


@pytest.mark.slow
@in_other_cases([(name, wrong) for name, seen in SEEN.items() for wrong in seen if (name, wrong) not in IN_TURN])
def test_all_wrong_code_is_reported_in_sized_worlds(
    world: Groups, strategies: tuple[Strategy, ...], change: Callable
) -> None:
    told(world, strategies, change)


def told(world: Groups, strategies: tuple[Strategy, ...], change: Callable) -> None:
    changed = tuple(
        replace(
            strategy,
            allocate=change(strategy.allocate),
            configure=strategy.configure and _after(strategy.configure, change),
        )
        for strategy in strategies
    )
    assert any(found.mismatch for found in GroupCheck(world, changed, ())(small_groups(world, many=20)))


def _after(configure: Callable, change: Callable) -> Callable:
    return lambda **arguments: change(configure(**arguments))


def test_queues_for_an_unlisted_consumer_are_reported() -> None:
    def takes_all(current_cid, mq_all, cid_all):
        return AVG.allocate(current_cid, mq_all, cid_all) if current_cid in cid_all else list(mq_all)

    found = mismatches(GroupCheck(OWN_ID_LISTED, (replace(AVG, allocate=takes_all),), (DISJOINT,)))
    assert "c0 is not in its cidAll, yet takes queues" in found


def test_both_of_two_strategies_are_compared() -> None:
    world = next(world for world in PREMISES if world.subjects == 2)
    wrong = replace(CIRCLE, encoding=CIRCLE.mutants[0].encoding)
    found = mismatches(GroupCheck(world, (AVG, wrong), ()))
    assert found
    assert all(said.startswith("circle at ") for said in found)


def as_if_ids_were_distinct(encodings, n: int) -> SymbolicGroup:
    """The digits are there, but every process has the index of its own place."""
    right = DISTINCT_IDS.symbolic(encodings, n)
    members = tuple(replace(member, index=smt.IntVal(place)) for place, member in enumerate(right.members))
    return replace(right, members=members)


def without_repeated_ids(encodings, n: int) -> SymbolicGroup:
    """A constraint too many."""
    right = DISTINCT_IDS.symbolic(encodings, n)
    return replace(right, constraints=(*right.constraints, *(digit == 0 for digit in right.variables[2:])))


def test_wrong_symbolic_group_is_reported() -> None:
    check = GroupCheck(replace(DISTINCT_IDS, symbolic=as_if_ids_were_distinct), (AVG,), (DISJOINT, COVERS))
    right = {found.configuration: found for found in run(replace(check, world=DISTINCT_IDS))}
    for found in run(check):
        disjoint, covers = right[found.configuration].violations
        if disjoint:
            assert found.mismatch == f"disjoint: formula False, concrete {disjoint}"
        else:
            assert found.mismatch == (f"covers: formula False, concrete {covers}" if covers else None)
    assert any(found.violations[0] for found in right.values())


def test_symbolic_group_that_omits_groups_is_reported() -> None:
    check = GroupCheck(replace(DISTINCT_IDS, symbolic=without_repeated_ids), (AVG,), (DISJOINT,))
    for found in run(check):
        expected = "the symbolic group's constraints exclude this group" if any(found.configuration.values) else None
        assert found.mismatch == expected


def test_formula_that_is_violated_too_often_is_reported() -> None:
    always = replace(COVERS, violated=lambda group: smt.BoolVal(True))
    found = mismatches(GroupCheck(DISTINCT_IDS, (AVG,), (always,)))
    assert found
    assert set(found) == {"covers: formula True, concrete None"}


def test_violations_are_in_the_order_of_the_guarantees() -> None:
    checked = run(GroupCheck(DISTINCT_IDS, (AVG,), (COVERS, DISJOINT)))
    twins = next(found for found in checked if found.configuration == Configuration(2, 2, (1,)))
    assert twins.violations == (
        "queue 1 has no consumer.",
        "queue 0 is consumed by both c0 (process 0) and c0 (process 1).",
    )
    apart = next(found for found in checked if found.configuration == Configuration(2, 2, (0,)))
    assert apart.violations == (None, None)


def test_empty_batch_has_no_results() -> None:
    assert list(GroupCheck(DISTINCT_IDS, (AVG,), (DISJOINT,))([])) == []


def test_queue_outside_the_topic_is_a_mismatch() -> None:
    """As CONFIG could return one; no guarantee's test may fail on it."""
    stranger = MessageQueue("another", "broker-z", 7)
    wrong = replace(AVG, allocate=lambda cid, mq_all, cid_all: [*mq_all[:1], stranger, *mq_all[1:2]])
    (row,) = GroupCheck(AGREED, (wrong,), GUARANTEES)([Configuration(1, 2, ())])
    assert row.mismatch == "c0 takes a queue that is not in its mqAll"


def test_sized_formula_that_omits_groups_is_reported() -> None:
    world, strategies = CASES["hash-one-virtual-node"]

    def symbolic(encodings, n: int, q: int) -> SymbolicGroup:
        right = world.symbolic(encodings, n, q)
        return replace(right, constraints=(*right.constraints, smt.Int("node0-0") != smt.Int("queue0")))

    groups = small_groups(world)
    said = {found.mismatch for found in GroupCheck(replace(world, symbolic=symbolic), strategies, ())(groups)}
    assert said == {None, "the symbolic group's constraints exclude this group"}


def test_sized_formula_that_is_violated_too_often_is_reported() -> None:
    world, strategies = CASES["hash-one-virtual-node"]
    always = replace(COVERS, violated=lambda group: smt.BoolVal(True))
    said = {found.mismatch for found in GroupCheck(world, strategies, (always,))(small_groups(world))}
    assert said == {"covers: formula True, concrete None"}


@pytest.mark.parametrize(("world", "sized"), [(DISTINCT_IDS, False), (RINGS_OF_1, True)], ids=["a premise", "rings"])
def test_formulas_are_evaluated_in_small_groups_and_sized_worlds(world: Groups, sized: bool) -> None:
    strategy = CONSISTENT_HASH if sized else AVG
    check, queues = GroupCheck(world, (strategy,), (COVERS, SUBLIST)), (1,) * sized
    judged = [violation_kernel(check, n, *queues)[1] for n in (1, MOST_CONSUMERS, MOST_CONSUMERS + 1)]
    assert judged == [(0,), (0,), (0,) if sized else ()], "sublist has unknowns of its own"
