"""SMT-LIB 2 texts: all that a solver gets to read.

The text is a function of the formulas alone: declarations are sorted by name, shared subterms are named in the order
in which they are met, and nothing depends on which terms were built before.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import z3

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
    """A complete script, up to ``check-sat``."""
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
    """``name`` as an SMT-LIB symbol, quoted where it has to be."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
    return name if plain else f"|{name}|"


def declared(text: str, sort: str = "Int") -> list[str]:
    """The names of the constants of a sort that a rendered text declares; ``.+`` for any sort."""
    found = re.findall(rf"^\(declare-const (\|[^|]*\||\S+) {sort}\)$", text, re.MULTILINE)
    return [name.strip("|") for name in found]


def values(printed: str) -> dict[str, int | bool]:
    """What a solver prints for ``get-value`` of constants."""
    return {name.strip("|"): _value(value) for name, value in _PRINTED.findall(printed)}


def _value(printed: str) -> int | bool:
    if printed in ("true", "false"):
        return printed == "true"
    return -int(printed[2:-1]) if printed.startswith("(-") else int(printed)


def shown(term: z3.ExprRef) -> str:
    """A term for people, and for the names of the products and quotients in it: ``(q div c)``."""
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
        """Name -> sort, as it is declared."""
        self.functions: dict[str, str] = {}
        """Name -> sorts of the arguments, and of the value."""
        self.sorts: set[str] = set()
        self._formulas = formulas  # keeps the terms, and with them their ids, alive
        self._uses: dict[int, int] = {}
        self._children: dict[int, list[z3.ExprRef]] = {}
        self._names: dict[int, str] = {}
        for formula in formulas:
            self._count(formula)

    def _count(self, term: z3.ExprRef) -> None:
        key = term.get_id()
        self._uses[key] = self._uses.get(key, 0) + 1
        if self._uses[key] > 1:
            return
        self._children[key] = term.children()
        if term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            self._declare(term.decl())
        for child in self._children[key]:
            self._count(child)

    def _declare(self, declaration: z3.FuncDeclRef) -> None:
        value = self._sort(declaration.range())
        if declaration.arity() == 0:
            self.constants[declaration.name()] = value
            return
        arguments = " ".join(self._sort(declaration.domain(place)) for place in range(declaration.arity()))
        self.functions[declaration.name()] = f"({arguments}) {value}"

    def _sort(self, sort: z3.SortRef) -> str:
        if sort.kind() == z3.Z3_ARRAY_SORT:
            return f"(Array {self._sort(sort.domain())} {self._sort(sort.range())})"
        if sort.kind() == z3.Z3_UNINTERPRETED_SORT:
            self.sorts.add(sort.name())
        return symbol(sort.name())

    def assertion(self, assertion: Assertion) -> list[str]:
        """The definitions of the shared terms it meets first, and the assert itself."""
        lines = [f"; {assertion.comment}"] if assertion.comment else []
        text = self._text(assertion.formula, lines)
        return [*lines, f"(assert {text})"]

    def _text(self, term: z3.ExprRef, lines: list[str]) -> str:
        key = term.get_id()
        if key in self._names:
            return self._names[key]
        children = self._children[key]
        if not children:
            return _leaf(term)
        operator = self._operator(term.decl())
        if len(children) == 1 and operator in ("and", "or", "+", "*"):
            return self._text(children[0], lines)
        text = f"({' '.join([operator, *(self._text(child, lines) for child in children)])})"
        if self._uses[key] > 1:
            name = f"t{len(self._names)}"
            while name in self.constants:
                name += "_"
            lines.append(f"(define-fun {name} () {self._sort(term.sort())} {text})")
            self._names[key] = text = name
        return text

    @staticmethod
    def _operator(declaration: z3.FuncDeclRef) -> str:
        if declaration.kind() == z3.Z3_OP_UNINTERPRETED:
            return symbol(declaration.name())
        return _OPERATORS[declaration.kind()]


def _leaf(term: z3.ExprRef) -> str:
    if z3.is_int_value(term):
        value = term.as_long()
        return str(value) if value >= 0 else f"(- {-value})"
    if z3.is_true(term) or z3.is_false(term):
        return str(term).lower()
    if not z3.is_const(term) or term.decl().kind() != z3.Z3_OP_UNINTERPRETED:
        return str(z3.is_true(z3.simplify(term))).lower()  # "and" and "or" of nothing
    return symbol(term.decl().name())
