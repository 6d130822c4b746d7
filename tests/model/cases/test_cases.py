"""Every case: the digits, the concrete groups and the symbolic groups speak of the same groups."""

from dataclasses import replace
from itertools import product

import pytest

from tests.model.cases.every import CASES, CLAIMS, all_values, each_case, small
from tests.model.premises.symbolic import Symbolic, takers

FEW, MANY = 600, 60_000
"""Groups of a size that are computed here by default, and by the slow tests."""
PAIRS = 1_100
"""Two consumers with two virtual nodes each, one of whom joins."""

HASHES = ("node", "queue", "first-", "second-")
"""Unknown hash values, which may be any integers."""

each_mutant = pytest.mark.parametrize(
    ("premise", "strategy", "mutant"),
    {
        (claim.premise.name, claim.strategies[0].name, mutant.name): pytest.param(
            claim.premise, claim.strategies[0], mutant, id=f"{claim.strategies[0].name}-{mutant.name}-{claim.id}"
        )
        for claim in CLAIMS
        for mutant in claim.mutants
        if claim.obligations
    }.values(),
)


def differences(premise, strategies, sizes, wrong=None):
    """Groups and queues at which the symbolic group (of other strategies, if told) and the code say other things."""
    found = []
    for n, q in sizes:
        symbolic, expected, places = Symbolic(premise, wrong or strategies, n, q), [], []
        for values in premise.all_values(n, q):
            rows = takers(premise, strategies, n, q, values)
            expected += [[1, q, *row] for row in rows]
            places += [(n, q, values, queue) for queue in range(q)]
        said = symbolic([premise.assignment(*place) for place in places])
        assert len(said) == len(expected) == q * premise.groups(n, q)
        found += [place for place, one, other in zip(places, said, expected, strict=True) if one != other]
    return found


def test_no_case_is_mistaken_for_another():
    assert len(CASES) == len({(premise, strategies) for premise, strategies in CASES.values()})
    assert len(CASES) == len({(premise.name, strategies) for premise, strategies in CASES.values()})


@each_case
def test_names_and_words_are_there(premise, strategies):
    assert premise.sized
    assert premise.sentence.endswith(".")
    assert premise.source.startswith("https://")
    assert premise.dropped is bool(premise.without)
    assert len(strategies) == premise.strategies
    assert all(bound >= 1 for bound in premise.bound)


@each_case
def test_the_closed_form_counts_the_groups(premise, strategies):
    sizes = small(premise, 2000)
    assert (1, 1) in sizes
    for n, q in sizes:
        groups = list(premise.all_values(n, q))
        assert len(groups) == len(set(groups)) == premise.groups(n, q)


@each_case
def test_formula_and_code_agree_on_every_group(premise, strategies):
    assert differences(premise, strategies, small(premise, FEW)) == []


@pytest.mark.slow
@each_case
def test_formula_and_code_agree_on_every_larger_group(premise, strategies):
    assert differences(premise, strategies, small(premise, MANY)) == []


@each_mutant
def test_a_wrong_encoding_is_told(premise, strategy, mutant):
    wrong = (replace(strategy, encoding=mutant.encoding),)
    assert differences(premise, (strategy,), small(premise, PAIRS), wrong)


@each_case
def test_an_assignment_names_the_group_that_it_is_made_from(premise, strategies):
    for n, q, values in all_values(premise, small(premise, FEW)):
        for queue in (0, q - 1):
            assignment = premise.assignment(n, q, values, queue)
            assert assignment == premise.assignment(n, q, values, 0) | {"p": queue}
            # where nothing is unknown, nothing says how many queues there are; no claim is searched there
            if len(assignment) > 1 or any(claim.premise is premise for claim in CLAIMS):
                assert premise.configuration(n, assignment) == (q, values)


@each_case
def test_what_names_no_group_is_not_admitted(premise, strategies):
    """Digits one beyond either end of their range, and those that the case itself refuses."""
    for n, q in ((1, 1), (2, 1)):
        if not premise.groups(n, q):
            continue
        symbolic = Symbolic(premise, strategies, n, q)
        some = premise.assignment(n, q, next(premise.all_values(n, q)), 0)
        digits = [name for name in symbolic.names if name != "p" and not name.startswith(HASHES)]
        largest = max(premise.radices(n, q), default=0)
        rows = [dict(zip(digits, row, strict=True)) for row in product(range(-1, largest + 1), repeat=len(digits))]
        rows = rows[:: len(rows) // 2000 + 1]
        expected = [names_a_group(premise, n, some | row) for row in rows]
        assert [row[0] for row in symbolic([some | row for row in rows])] == expected
        assert [row[0] for row in symbolic([some | {"p": place} for place in (-1, 0, q)])] == [0, 1, 0]


def names_a_group(premise, n, assignment):
    q, values = premise.configuration(n, assignment)
    inside = all(0 <= value < radix for value, radix in zip(values, premise.radices(n, q), strict=True))
    return inside and premise.admits(n, q, values)


@each_case
def test_a_setting_says_what_there_is_besides_the_lists(premise, strategies):
    for n, q, values in all_values(premise, small(premise, 100)):
        setting = premise.group(strategies, n, q, values).setting
        assert setting or premise.groups(n, q) == 1
        notes = setting.notes if setting else ()
        assert bool(notes) is bool(setting)
        assert all(note.endswith(".") for note in notes)


@each_case
def test_consumers_run_the_strategies_as_they_are_configured(premise, strategies):
    for n, q, values in all_values(premise, small(premise, 100)):
        group = premise.group(strategies, n, q, values)
        names = {consumer.strategy.name for consumer in group.consumers}
        assert names <= {strategy.name for strategy in strategies}
        assert len(group.consumers) == n
        assert len(group.queues) == q
