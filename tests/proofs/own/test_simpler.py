"""Translating a user's code: it computes the same, and untranslatable code is refused."""

import ast
import textwrap

import pytest

from rebalance_proofs.proofs.code.run import Unsupported
from rebalance_proofs.proofs.own.code import SLICE, simpler
from tests.each import each

TRANSLATED = {
    "a comprehension": "return [x + 1 for x in a]",
    "a comprehension with conditions": "return [x for x in a if x > 1 if x < 4]",
    "a comprehension that is kept": "b = [x for x in a if x % 2]\nreturn b + [n]",
    "an augmented assignment": "n += 3\nn *= 2\nreturn n",
    "division with remainder": "b, n = divmod(n, 3)\nreturn b, n",
    "two at a time": "b, c = 1, 2\nb, c = c, b\nreturn b, c",
    "within a branch": "if n > 2:\n    n, b = 1, n\nelse:\n    n += 1\nreturn n",
    "within a loop": "c = 0\nfor x in a:\n    c += x\n    x, c = c, x\nreturn c",
    "a slice": "return a[1:3] + a[::2] + a[:n] + a[n:] + a[::]",
}
REFUSED = {
    "another target than names": "a[0], n = n, 1\nreturn a",
    "another target, last": "n, a[0] = n, 1\nreturn a",
    "a comprehension with two loops": "return [x for x in a for y in a]",
}


def made(body: str) -> ast.FunctionDef:
    (function,) = ast.parse(f"def made(a, n):\n{textwrap.indent(body, '    ')}").body
    assert isinstance(function, ast.FunctionDef)
    return function


def result(function: ast.FunctionDef, numbers: list[int], n: int):
    names = {SLICE: lambda given, *parts: given[slice(*parts)]}
    exec(compile(ast.fix_missing_locations(ast.Module([function], [])), "made", "exec"), names)
    return names["made"](list(numbers), n)


@each("body", TRANSLATED.values(), ids=TRANSLATED)
def test_translated_code_computes_the_same(body):
    simple = simpler(made(body))
    assert not {type(node) for node in ast.walk(simple)} & {ast.ListComp, ast.AugAssign, ast.Slice}
    assert not [node for node in ast.walk(simple) if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Store)]
    for numbers in ([], [1], [5, 1, 3, 2, 4]):
        for n in (0, 2, 7):
            assert result(simple, numbers, n) == result(made(body), numbers, n)


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_untranslatable_code_is_refused_with_its_line(body):
    with pytest.raises(Unsupported, match="line 2"):
        simpler(made(body))
