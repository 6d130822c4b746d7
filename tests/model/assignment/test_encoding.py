"""Pop encodings against the broker's code, for all small numbers; and their mutants."""

from itertools import product

import pytest

from rebalance_proofs.model.assignment import STRATEGIES
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.assignments import ALL_MODES, JOINED, MIXED, MIXED_STRATEGIES, POPS, UNLISTED
from rebalance_proofs.proofs.allocation.observed import observed
from rebalance_proofs.proofs.assignment.claims import GUARANTEES, PULLS, claims, slips
from rebalance_proofs.proofs.named import value
from rebalance_proofs.spark_enum.allocation.group_check import GroupCheck
from rebalance_proofs.spark_enum.allocation.space import Configuration

WORLDS = (POPS, JOINED, MIXED, UNLISTED, ALL_MODES)
PARTS = {
    "reads_all": ("c", "k"),
    "null": ("q", "c", "k"),
    "listed_only": ("c", "k"),
    "pops": ("flag", "three", "flag"),
    "all_reads": ("q", "p"),
    "few_queue": ("q", "i"),
    "few_reader": ("q", "p", "t"),
    "few_turn": ("q", "i"),
}
RANGES = {
    "q": range(1, 5),
    "c": range(1, 6),
    "k": range(-2, 7),
    "p": range(4),
    "i": range(6),
    "t": range(3),
    "flag": range(2),
    "three": range(3),
}


def mismatches(world, strategies, guarantees=(), bound=(4, 5)):
    check = GroupCheck(world, strategies, tuple(guarantees))
    consumers, queues = bound
    for n, q in product(range(1, consumers + 1), range(1, queues + 1)):
        for found in check([Configuration(n, q, values) for values in world.all_values(n, q)]):
            if found.mismatch:
                yield found.mismatch


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_code_and_formulas_agree_about_members_and_guarantees(strategy, world):
    about = [guarantee for guarantee, assumed, _ in GUARANTEES if assumed is world]
    assert about
    assert not list(mismatches(world, (strategy,), about))


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_code_and_formulas_agree_if_members_pull_by_another_strategy(strategy):
    for other in PULLS:
        assert not list(mismatches(MIXED_STRATEGIES, (strategy, other), bound=(4, 4)))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_parts_of_the_encoding_equal_the_code(strategy, part):
    formula, code = getattr(strategy.encoding, part), getattr(observed(strategy), part)
    tried = 0
    for numbers in product(*(RANGES[name] for name in PARTS[part])):
        given = dict(zip(PARTS[part], numbers, strict=True))
        if given.get("p", 0) < given.get("q", 5):
            terms = [smt.IntVal(number) for number in numbers]
            assert value(formula(*terms)) == value(code(*terms)), given
            tried += 1
    assert tried >= 10


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_null_is_right_without_queues_or_members(strategy):
    formula, code = strategy.encoding.null, observed(strategy).null
    for q, c, k in product(range(3), range(5), range(-2, 6)):
        terms = [smt.IntVal(number) for number in (q, c, k)]
        if q or c:  # with neither, the code gets an id that is in no list, and a queue list that is empty, too
            assert value(formula(*terms)) == value(code(*terms)), (q, c, k)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_every_mutant_of_a_pop_encoding_breaks_a_claim(strategy):
    named = {guarantee.name for guarantee, _, _ in GUARANTEES}
    assert {mutant.breaks for mutant in strategy.mutants} <= named
    assert len({mutant.name for mutant in strategy.mutants}) == len(strategy.mutants)
    held = {claim.guarantee.name for claim in claims() if claim.holds}
    assert held == {mutant.breaks for mutant in strategy.mutants}


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda one: one.name)
def test_slips_of_a_pop_encoding_change_one_part_each(strategy):
    right = strategy.encoding
    for name, _, wrong in slips(right):
        changed = [part for part, made in vars(wrong).items() if made is not vars(right)[part]]
        assert len(changed) == 1, name
