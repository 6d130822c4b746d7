"""Formulas for the owner of a queue position.

Some formulas are known, and the user can write one.
"""

import ast
from collections.abc import Callable, Iterator
from itertools import product

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.errors import UsageError

Owner = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]
"""``owner(q, c, p)``: return the index of the consumer that owns position p.

There are q queues and c consumers.
"""


def _snake(q: smt.IntTerm, c: smt.IntTerm, p: smt.IntTerm) -> smt.IntTerm:
    return smt.If((p / c) % 2 == 0, p % c, c - 1 - p % c)


def _first(q: smt.IntTerm, c: smt.IntTerm, p: smt.IntTerm) -> smt.IntTerm:
    return smt.IntVal(0)


FORMS: tuple[tuple[str, Owner], ...] = (
    ("round and round", AVERAGELY_BY_CIRCLE.encoding.owner),
    ("blocks, the larger ones first", AVERAGELY.encoding.owner),
    ("to and fro", _snake),
    ("one has all", _first),
)


def known() -> Iterator[tuple[str, Owner]]:
    """Yield the name and the function of each known formula.

    Positions and consumers are counted from either end of mqAll and of cidAll.
    """
    for (name, owner), queues, ids in product(FORMS, (False, True), (False, True)):
        ends = [*(["mqAll from its end"] if queues else []), *(["cidAll from its end"] if ids else [])]
        yield ", ".join([name, *ends]), _turned(owner, queues, ids)


def _turned(owner: Owner, queues: bool, ids: bool) -> Owner:
    def turned(q: smt.IntTerm, c: smt.IntTerm, p: smt.IntTerm) -> smt.IntTerm:
        found = owner(q, c, q - 1 - p if queues else p)
        return c - 1 - found if ids else found

    return turned


def written(text: str) -> Owner:
    """Parse a user's formula for the owner, such as ``p % c`` or ``min(p // (q // c), c - 1)``.

    Allowed are integers, q, c, p, ``+ - * // %``, comparisons, ``if``, ``min`` and ``max``. Raises ``UsageError`` for
    anything else.
    """
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        raise UsageError(f"--owner: {text!r} is not an expression; write one with q, c and p, such as p % c") from None
    _evaluated(tree, {name: smt.Int(name) for name in "qcp"}, text)
    return lambda q, c, p: _evaluated(tree, {"q": q, "c": c, "p": p}, text)


_BINARY: dict[type[ast.operator], Callable[[smt.IntTerm, smt.IntTerm], smt.IntTerm]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.FloorDiv: lambda x, y: x / y,
    ast.Mod: lambda x, y: x % y,
}
_COMPARED: dict[type[ast.cmpop], Callable[[smt.IntTerm, smt.IntTerm], smt.BoolTerm]] = {
    ast.Lt: lambda x, y: x < y,
    ast.LtE: lambda x, y: x <= y,
    ast.Gt: lambda x, y: x > y,
    ast.GtE: lambda x, y: x >= y,
    ast.Eq: lambda x, y: x == y,
    ast.NotEq: lambda x, y: x != y,
}


def _evaluated(node: ast.expr, names: dict[str, smt.IntTerm], text: str) -> smt.IntTerm:
    match node:
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return smt.IntVal(value)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_evaluated(left, names, text), _evaluated(right, names, text))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, names, text)
        case ast.IfExp(test=ast.Compare(left=left, ops=[op], comparators=[right]), body=body, orelse=orelse) if (
            type(op) in _COMPARED
        ):
            condition = _COMPARED[type(op)](_evaluated(left, names, text), _evaluated(right, names, text))
            return smt.If(condition, _evaluated(body, names, text), _evaluated(orelse, names, text))
        case ast.Call(func=ast.Name(id="min" | "max" as which), args=[one, other], keywords=[]):
            x, y = (_evaluated(part, names, text) for part in (one, other))
            return smt.If((x < y) == (which == "min"), x, y)
    raise UsageError(
        f"--owner: {ast.unparse(node)!r} in {text!r} is not supported; use only integers, q, c, p, + - * // %, "
        "comparisons, if, min and max"
    )
