"""SMT-LIB 2 texts, the only input of the solvers.

A text is a function of its formulas alone. Declarations are sorted by name, shared subterms are named in order of
occurrence, and terms built earlier have no influence.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.terms.operators import (
    ADD,
    AND,
    BOOL,
    FALSE,
    INT,
    ITE,
    MUL,
    NEG,
    OR,
    TRUE,
    UNINTERPRETED,
    ArraySort,
    Sort,
)
from rebalance_proofs.model.terms.smt import BoolTerm, Numeral, Term, is_const, is_int_value

_PRINTED = re.compile(r"\((\|[^|]*\||[^\s()]+) (true|false|\d+|\(- \d+\))\)")


@dataclass(frozen=True)
class Assertion:
    """One ``assert`` command with a comment line that explains it."""

    comment: str
    formula: BoolTerm


def render(title: str, assertions: Sequence[Assertion], logic: str = "QF_LIA") -> str:
    """Return a complete SMT-LIB script that ends with ``check-sat``."""
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


@cache
def symbol(name: str) -> str:
    """Return ``name`` as an SMT-LIB symbol, quoted if necessary."""
    plain = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)
    return name if plain else f"|{name}|"


def declared(text: str, sort: str = "Int") -> list[str]:
    """Return the names of constants of one sort that an SMT-LIB text declares.

    ``sort`` is a pattern: ``.+`` means all sorts.
    """
    found = re.findall(rf"^\(declare-const (\|[^|]*\||\S+) {sort}\)$", text, re.MULTILINE)
    return [name.strip("|") for name in found]


def values(printed: str) -> dict[str, int | bool]:
    """Parse the values in a solver's answer to ``get-value`` of constants."""
    return {name.strip("|"): _value(value) for name, value in _PRINTED.findall(printed)}


def _value(printed: str) -> int | bool:
    if printed in ("true", "false"):
        return printed == "true"
    return -int(printed[2:-1]) if printed.startswith("(-") else int(printed)


def shown(term: Term) -> str:
    """Return a readable form of a term, such as ``(q div c)``.

    It also names the product or quotient in linearized texts.
    """
    if is_const(term):
        return str(term.number) if is_int_value(term) else term.name
    operator = _operator(term)
    parts = [shown(child) for child in term.children]
    if len(parts) == 1 or term.kind in (ITE, UNINTERPRETED):
        return f"({' '.join([operator, *parts])})"
    return f"({f' {operator} '.join(parts)})"


class _Renderer:
    def __init__(self, formulas: Sequence[BoolTerm]) -> None:
        self.constants: dict[str, str] = {}
        """Name of a declared constant -> its sort."""
        self.functions: dict[str, str] = {}
        """Name of a declared function -> sorts of its arguments, and sort of its value."""
        self.sorts: set[str] = set()
        self._shared: set[Term] = set()
        self._done: dict[Term, str] = {}
        self._named = 0
        self._count(formulas, set())

    def _count(self, terms: Sequence[Term], met: set[Term]) -> None:
        for term in terms:
            if term in met:
                self._shared.add(term)
                continue
            met.add(term)
            if term.kind == UNINTERPRETED:
                self._declare(term)
            if term.children:
                self._count(term.children, met)
            else:
                self._done[term] = _leaf(term)

    def _declare(self, term: Term) -> None:
        if not term.children:
            self.constants[term.name] = self._sort(term.sort)
            return
        function = term.function
        value = self._sort(function.value)
        self.functions[function.name] = f"({' '.join(map(self._sort, function.arguments))}) {value}"

    def _sort(self, sort: Sort) -> str:
        if isinstance(sort, ArraySort):
            return f"(Array {self._sort(sort.domain)} {self._sort(sort.range)})"
        if sort not in (INT, BOOL):
            self.sorts.add(sort.name)
        return symbol(sort.name)

    def assertion(self, assertion: Assertion) -> list[str]:
        """Return the ``assert`` command, after definitions of shared terms that first occur in it."""
        lines = [f"; {assertion.comment}"] if assertion.comment else []
        text = self._text(assertion.formula, lines)
        return [*lines, f"(assert {text})"]

    def _text(self, term: Term, lines: list[str]) -> str:
        done = self._done
        if term in done:
            return done[term]
        if len(term.children) == 1 and term.kind in _OF_ONE:
            return self._text(term.children[0], lines)
        operator = symbol(term.name) if term.kind == UNINTERPRETED else _operator(term)
        parts = [done[child] if child in done else self._text(child, lines) for child in term.children]
        text = f"({operator} {' '.join(parts)})"
        if term not in self._shared:
            return text
        name = f"t{self._named}"
        while name in self.constants:
            name += "_"
        self._named += 1
        lines.append(f"(define-fun {name} () {self._sort(term.sort)} {text})")
        done[term] = name
        return name


_OF_ONE = (AND, OR, ADD, MUL)
"""Operators that can be omitted if they have only one argument."""


def _operator(term: Term) -> str:
    return "-" if term.kind == NEG else term.name


def _leaf(term: Term) -> str:
    if isinstance(term, Numeral):
        return str(term.number) if term.number >= 0 else f"(- {-term.number})"
    if term.kind in (TRUE, AND):  # "and" without arguments
        return "true"
    return "false" if term.kind in (FALSE, OR) else symbol(term.name)


# Equivalent rewordings of an SMT-LIB text, to test whether a proof depends on the wording.


def variant(text: str, number: int) -> str:
    """Return the text with its constants renamed, and its declarations and assertions reordered.

    ``number`` selects the variant; 0 is the text itself. Definitions stay before the assertions that use them.
    """
    if number == 0:
        return text
    shuffle = random.Random(number)
    lines = [line for line in text.splitlines() if not line.startswith(";")]
    sorts = [line for line in lines if line.startswith("(declare-sort ")]
    declarations = [line for line in lines if line.startswith(("(declare-const ", "(declare-fun "))]
    definitions = [line for line in lines if line.startswith("(define-fun ")]
    assertions = [line for line in lines if line.startswith("(assert ")]
    shuffle.shuffle(declarations)
    shuffle.shuffle(assertions)
    body = "\n".join([*sorts, *declarations, *definitions, *assertions])
    names = declared(text, ".+")
    numbers = shuffle.sample(range(10 * len(names)), len(names))
    renamed = {symbol(name): f"v{place}" for name, place in zip(names, numbers, strict=True)}
    if renamed:
        body = re.sub(r"\|[^|]*\||[^\s()|]+", lambda match: renamed.get(match[0], match[0]), body)
    logic = next(line for line in lines if line.startswith("(set-logic "))
    return "\n".join([f"; variant {number}", logic, body, "(check-sat)"]) + "\n"
