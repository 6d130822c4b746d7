"""SMT-LIB 2 texts, the only input of the solvers.

A text is a function of the formulas alone: declarations are sorted by name, shared subterms are named in the order in
which they occur, and nothing depends on terms that were built before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import z3

from rebalance_proofs.model.terms.nodes import Node, Reader

_OPERATORS = {
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_DISTINCT: "distinct",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">",
    z3.Z3_OP_ADD: "+",
    z3.Z3_OP_SUB: "-",
    z3.Z3_OP_UMINUS: "-",
    z3.Z3_OP_MUL: "*",
    z3.Z3_OP_IDIV: "div",
    z3.Z3_OP_MOD: "mod",
    z3.Z3_OP_SELECT: "select",
    z3.Z3_OP_STORE: "store",
}


_PRINTED = re.compile(r"\((\|[^|]*\||[^\s()]+) (true|false|\d+|\(- \d+\))\)")


@dataclass(frozen=True)
class Assertion:
    """One ``assert`` with a line of explanation."""

    comment: str
    formula: z3.BoolRef


def render(title: str, assertions: Sequence[Assertion], logic: str = "QF_LIA") -> str:
    """A complete script that ends with ``check-sat``."""
    renderer = _Renderer([assertion.formula for assertion in assertions])
    if renderer.functions and "UF" not in logic:
        logic = logic.replace("QF_", "QF_UF")
    body = [line for assertion in assertions for line in renderer.assertion(assertion)]
    lines = [
        *(f"; {line}" for line in title.splitlines()),
        f"(set-logic {logic})",
        *(f"(declare-sort {symbol(name)} 0)" for name in sorted(renderer.sorts)),
        *(f"(declare-const {symbol(name)} {renderer.constants[name]})" for name in sorted(renderer.constants)),
        *(f"(declare-fun {symbol(name)} {renderer.functions[name]})" for name in sorted(renderer.functions)),
        *body,
        "(check-sat)",
    ]
    return "\n".join(lines) + "\n"


def symbol(name: str) -> str:
    """``name`` as an SMT-LIB symbol, quoted if necessary."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
    return name if plain else f"|{name}|"


def declared(text: str, sort: str = "Int") -> list[str]:
    """The names of the constants of a sort that a text of this module declares; ``.+`` for all sorts."""
    found = re.findall(rf"^\(declare-const (\|[^|]*\||\S+) {sort}\)$", text, re.MULTILINE)
    return [name.strip("|") for name in found]


def values(printed: str) -> dict[str, int | bool]:
    """The values in a solver's answer to ``get-value`` of constants."""
    return {name.strip("|"): _value(value) for name, value in _PRINTED.findall(printed)}


def _value(printed: str) -> int | bool:
    if printed in ("true", "false"):
        return printed == "true"
    return -int(printed[2:-1]) if printed.startswith("(-") else int(printed)


def shown(term: z3.ExprRef) -> str:
    """A readable form of a term, such as ``(q div c)``; also the name of a product or quotient."""
    if z3.is_const(term):
        return str(term.as_long()) if z3.is_int_value(term) else term.decl().name()
    operator = _OPERATORS.get(term.decl().kind(), term.decl().name())
    parts = [shown(child) for child in term.children()]
    if len(parts) == 1 or operator == "ite" or z3.is_app_of(term, z3.Z3_OP_UNINTERPRETED):
        return f"({' '.join([operator, *parts])})"
    return f"({f' {operator} '.join(parts)})"


class _Renderer:
    def __init__(self, formulas: Sequence[z3.BoolRef]) -> None:
        self.constants: dict[str, str] = {}
        """Name -> sort, as declared."""
        self.functions: dict[str, str] = {}
        """Name -> sorts of the arguments, and of the value."""
        self.sorts: set[str] = set()
        self._shared: set[Node] = set()
        self._done: dict[Node, str] = {}
        self._named = 0
        self._reader = Reader()
        met: set[Node] = set()
        for formula in formulas:
            self._count(self._reader.read(formula), met)

    def _count(self, node: Node, met: set[Node]) -> None:
        if node in met:
            self._shared.add(node)
            return
        met.add(node)
        if node.kind == z3.Z3_OP_UNINTERPRETED:
            self._declare(node.term.decl())
        for child in node.children:
            self._count(child, met)

    def _declare(self, declaration: z3.FuncDeclRef) -> None:
        value = self._sort(declaration.range())
        if declaration.arity() == 0:
            self.constants[declaration.name()] = value
            return
        arguments = " ".join(self._sort(declaration.domain(place)) for place in range(declaration.arity()))
        self.functions[declaration.name()] = f"({arguments}) {value}"

    def _sort(self, sort: z3.SortRef) -> str:
        if isinstance(sort, z3.ArraySortRef):
            return f"(Array {self._sort(sort.domain())} {self._sort(sort.range())})"
        if sort.kind() == z3.Z3_UNINTERPRETED_SORT:
            self.sorts.add(sort.name())
        return symbol(sort.name())

    def assertion(self, assertion: Assertion) -> list[str]:
        """The definitions of shared terms that occur here first, and the assertion."""
        lines = [f"; {assertion.comment}"] if assertion.comment else []
        text = self._text(self._reader.read(assertion.formula), lines)
        return [*lines, f"(assert {text})"]

    def _text(self, node: Node, lines: list[str]) -> str:
        if node in self._done:
            return self._done[node]
        if not node.children:
            text = _leaf(node)
        elif len(node.children) == 1 and node.kind in _OF_ONE:
            return self._text(node.children[0], lines)
        else:
            text = f"({' '.join([_operator(node), *(self._text(child, lines) for child in node.children)])})"
            if node not in self._shared:
                return text
            name = f"t{self._named}"
            while name in self.constants:
                name += "_"
            self._named += 1
            lines.append(f"(define-fun {name} () {self._sort(node.term.sort())} {text})")
            text = name
        self._done[node] = text
        return text


_OF_ONE = (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_ADD, z3.Z3_OP_MUL)
"""Operators that can be left out if they have one argument."""


def _operator(node: Node) -> str:
    if node.kind == z3.Z3_OP_UNINTERPRETED:
        return symbol(node.name)
    return _OPERATORS[node.kind]


def _leaf(node: Node) -> str:
    match node.kind:
        case z3.Z3_OP_ANUM:
            return str(node.number) if node.number >= 0 else f"(- {-node.number})"
        case z3.Z3_OP_TRUE | z3.Z3_OP_AND:  # "and" without arguments
            return "true"
        case z3.Z3_OP_FALSE | z3.Z3_OP_OR:
            return "false"
    return symbol(node.name)
