"""Every world: digits, concrete group and symbolic group describe the same groups."""

from dataclasses import replace
from itertools import product

import pytest

from tests.each import each
from tests.model.premises.symbolic import Symbolic, takers
from tests.model.worlds.every import CASES, CLAIMS, all_values, each_case, small

FEW, MANY = 600, 60_000
"""Groups of a size that are computed here by default, and by the slow tests."""
PAIRS = 1_100
"""Two consumers with two virtual nodes each, one of whom joins."""

HASHES = ("node", "queue", "first-", "second-")
"""Unknown hash values, which may be any integers."""

each_mutant = each(
    ("world", "strategy", "mutant"),
    {
        (claim.world.name, claim.subjects[0].name, mutant.name): pytest.param(
            claim.world, claim.subjects[0], mutant, id=f"{claim.subjects[0].name}-{mutant.name}-{claim.id}"
        )
        for claim in CLAIMS
        for mutant in claim.mutants
        if claim.obligations
    }.values(),
)


def differences(world, strategies, sizes, wrong=None):
    """Groups and queues at which the symbolic group (of other strategies, if told) and the code say other things.

    Size by size, as far as they are asked for.
    """
    for n, q in sizes:
        symbolic, expected, places = Symbolic(world, wrong or strategies, n, q), [], []
        for values in world.all_values(n, q):
            rows = takers(world, strategies, n, q, values)
            expected += [[1, q, *row] for row in rows]
            places += [(n, q, values, queue) for queue in range(q)]
        said = symbolic([world.assignment(*place) for place in places])
        assert len(said) == len(expected) == q * world.groups(n, q)
        yield from (place for place, one, other in zip(places, said, expected, strict=True) if one != other)


def test_cases_have_distinct_names():
    assert len(CASES) == len({(world, strategies) for world, strategies in CASES.values()})
    assert len(CASES) == len({(world.name, strategies) for world, strategies in CASES.values()})


@each_case
def test_case_has_name_and_sentences(world, strategies):
    assert world.sized
    assert world.sentence.endswith(".")
    assert world.source.startswith("https://")
    assert world.dropped is bool(world.without)
    assert len(strategies) == world.subjects
    assert all(bound >= 1 for bound in world.bound)


@each_case
def test_closed_form_counts_the_groups_of_each_case(world, strategies):
    sizes = small(world, 2000)
    assert (1, 1) in sizes
    for n, q in sizes:
        groups = list(world.all_values(n, q))
        assert len(groups) == len(set(groups)) == world.groups(n, q)


@each_case
def test_formula_and_code_agree_on_every_group(world, strategies):
    assert [*differences(world, strategies, small(world, FEW))] == []


@pytest.mark.slow
@each_case
def test_formula_and_code_agree_on_every_larger_group(world, strategies):
    assert [*differences(world, strategies, small(world, MANY))] == []


@each_mutant
def test_wrong_encoding_is_detected(world, strategy, mutant):
    wrong = (replace(strategy, encoding=mutant.encoding),)
    assert any(differences(world, (strategy,), small(world, PAIRS), wrong))


@each_case
def test_assignment_encodes_its_group(world, strategies):
    for n, q, values in all_values(world, small(world, FEW)):
        for queue in (0, q - 1):
            assignment = world.assignment(n, q, values, queue)
            assert assignment == world.assignment(n, q, values, 0) | {"p": queue}
            # where nothing is unknown, nothing says how many queues there are; no claim is searched there
            if len(assignment) > 1 or any(claim.world is world for claim in CLAIMS):
                assert world.configuration(n, assignment) == (q, values)


@each_case
def test_invalid_digits_are_excluded(world, strategies):
    """Digits one below or above their range, and digits that the world itself refuses."""
    for n, q in ((1, 1), (2, 1)):
        if not world.groups(n, q):
            continue
        symbolic = Symbolic(world, strategies, n, q)
        some = world.assignment(n, q, next(world.all_values(n, q)), 0)
        digits = [name for name in symbolic.names if name != "p" and not name.startswith(HASHES)]
        largest = max(world.radices(n, q), default=0)
        rows = [dict(zip(digits, row, strict=True)) for row in product(range(-1, largest + 1), repeat=len(digits))]
        rows = rows[:: len(rows) // 2000 + 1]
        expected = [names_a_group(world, n, some | row) for row in rows]
        assert [row[0] for row in symbolic([some | row for row in rows])] == expected
        assert [row[0] for row in symbolic([some | {"p": place} for place in (-1, 0, q)])] == [0, 1, 0]


def names_a_group(world, n, assignment):
    q, values = world.configuration(n, assignment)
    inside = all(0 <= value < radix for value, radix in zip(values, world.radices(n, q), strict=True))
    return inside and world.admits(n, q, values)


@each_case
def test_setting_describes_further_inputs(world, strategies):
    for n, q, values in all_values(world, small(world, 100)):
        setting = world.group(strategies, n, q, values).setting
        assert setting or world.groups(n, q) == 1
        notes = setting.notes if setting else ()
        assert bool(notes) is bool(setting)
        assert all(note.endswith(".") for note in notes)


@each_case
def test_consumers_run_the_configured_strategies(world, strategies):
    for n, q, values in all_values(world, small(world, 100)):
        group = world.group(strategies, n, q, values)
        names = {consumer.strategy.name for consumer in group.consumers}
        assert names <= {strategy.name for strategy in strategies}
        assert len(group.consumers) == n
        assert len(group.queues) == q
