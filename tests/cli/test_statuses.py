"""Each part of each exit status decides it alone in some case: a status without the part is noticed."""

import ast

import pytest

from tests.cli.statuses import DECIDED, decides, expression, mutants, result, returning
from tests.each import each


def part(module, function, what):
    """Return the code that decides a status, or a part of it."""
    parsed = decides(module, function)
    return expression(parsed, what) if what else parsed


@pytest.mark.parametrize("which", DECIDED, ids=lambda which: ".".join(which))
def test_status_is_what_its_cases_say(which):
    module, node = which[0], part(*which)
    assert [result(module, node, variables) for variables, _ in DECIDED[which]] == [end for _, end in DECIDED[which]]


@each("which", DECIDED, ids=lambda which: ".".join(which))
def test_status_without_one_of_its_parts_is_noticed(which):
    module = which[0]
    unnoticed = []
    for mutant in mutants(part(*which)):
        try:
            same = all(result(module, mutant, variables) == end for variables, end in DECIDED[which])
        except (AttributeError, KeyError, TypeError):
            same = False
        if same:
            unnoticed.append(ast.unparse(mutant))
    assert not unnoticed


def test_every_status_that_depends_on_results_has_cases():
    decided = {(module, function) for module, function, _ in DECIDED}
    assert returning() <= decided
