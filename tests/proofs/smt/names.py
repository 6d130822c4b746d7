"""Values of named products and quotients: a name such as ``(q div c) * c`` is parsed as the term that it shows."""

import re
from collections.abc import Mapping
from functools import reduce
from math import prod
from operator import add, eq, ge, gt, le, lt, ne, sub

from rebalance_proofs.model.terms import operators, smt

OPERATORS = {"+": add, "-": sub, "=": eq, "distinct": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def constants(formula: smt.Term) -> set[str]:
    """Names of the unknowns in a formula."""
    if smt.is_const(formula):
        return {formula.name} if formula.kind == operators.UNINTERPRETED else set()
    return set().union(*map(constants, formula.children))


def euclid(x: int, y: int) -> tuple[int, int]:
    """SMT-LIB's div and mod; 0 and x if y is 0."""
    quotient = (x // abs(y)) * (1 if y > 0 else -1) if y else 0
    return quotient, x - y * quotient


def meaning(name: str, values: Mapping[str, int]) -> int:
    """Value of a product, a quotient or an unknown for these values of the unknowns."""
    return _operand(re.findall(r"[()]|[^\s()]+", name), values)


def _operand(tokens: list[str], values: Mapping[str, int]) -> int:
    """Value of atoms joined by ``*``, removed from the front of ``tokens``."""
    result = _atom(tokens, values)
    while tokens[:1] == ["*"]:
        del tokens[0]
        result *= _atom(tokens, values)
    return result


def _atom(tokens: list[str], values: Mapping[str, int]) -> int:
    token = tokens.pop(0)
    if token != "(":
        return values[token] if token in values else int(token)
    prefix = tokens.pop(0) if tokens[0] in ("ite", "not", "-", "+", "*") else None
    operands, operators = [], set()
    while tokens[0] != ")":
        operands.append(_operand(tokens, values))
        if prefix is None and tokens[0] != ")":
            operators.add(tokens.pop(0))
    del tokens[0]
    return _apply(prefix or (operators.pop() if operators else "*"), operands)


def _apply(operator: str, operands: list[int]) -> int:
    match operator, operands:
        case "ite", [condition, then, otherwise]:
            return then if condition else otherwise
        case "not", [condition]:
            return not condition
        case "-", [negated]:
            return -negated
        case "*", _:
            return prod(operands)
        case "and", _:
            return all(operands)
        case "or", _:
            return any(operands)
        case "=>", [condition, then]:
            return not condition or then
        case (("div" | "mod"), [x, y]):
            return euclid(x, y)[operator == "mod"]
    return reduce(OPERATORS[operator], operands)
