"""SMT-LIB terms: integers, truth values, arrays and unknown functions.

They are built as in z3py and with its names. A term is a Python object without a solver. Equal terms are the same
object while one of them exists (hash-consing). So comparing terms takes no time, and neither does visiting shared parts
once. As in z3py, ``==`` between terms is a term; ``is`` checks whether two terms are the same. ``/`` is SMT-LIB's
``div``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from operator import is_not
from typing import Any, TypeAlias, TypeVar, cast, overload
from weakref import ref

from typing_extensions import TypeIs

from rebalance_proofs.model.terms import operators
from rebalance_proofs.model.terms.operators import BOOL, INT, ArraySort, Sort


class Term:
    """A term: an application of an operator, an unknown, or a numeral."""

    __slots__ = ("__weakref__", "_fingerprint", "_of", "children", "in_solver", "kind", "parts", "simpler", "sort")

    kind: str
    """The term's operator, one of the names in ``model.terms.operators``."""
    children: tuple[Any, ...]
    """The operands. The sort of each depends on the operator."""
    sort: Sort
    _of: Any
    """Name of an unknown, value of a numeral, or function of an application; else None."""
    _fingerprint: str
    simpler: "Term | None"
    """The cached result of ``simplified.simplify``, None if that is the term itself.

    Missing before the first call.
    """
    in_solver: Any
    """The cached result of ``z3_terms.in_solver``; missing before the first call."""
    parts: int
    """Cached flags of the operators in the term, for linearization; missing before they are computed."""

    # An equation of terms is a term, unlike Python's ==.
    def __eq__(self, other: "Term | int") -> "BoolTerm":  # type: ignore[override]  # a term
        return _equation(operators.EQ, self, other)

    def __ne__(self, other: "Term | int") -> "BoolTerm":  # type: ignore[override]  # a term
        return _equation(operators.DISTINCT, self, other)

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return _printed(self, 12)

    @property
    def name(self) -> str:
        """The name of the unknown or of the function; for other terms the operator."""
        if self.kind != operators.UNINTERPRETED:
            return self.kind
        name: str = self._of.name if self.children else self._of
        return name

    @property
    def function(self) -> "UnknownFunction":
        """The applied unknown function; for an unknown, a function without arguments.

        Raises ``TypeError`` for other terms.
        """
        if self.kind != operators.UNINTERPRETED:
            raise TypeError(f"{self} is not an application of an unknown function")
        return self._of if self.children else UnknownFunction(self._of, (), self.sort)

    def over(self: "T", children: Sequence["Term"]) -> "T":
        """Return the term's operator or function applied to other operands of the same sorts."""
        return _made(type(self), self.kind, tuple(children), self.sort, self._of) if children else self

    @property
    def fingerprint(self) -> str:
        """Return 16 hexadecimal digits that identify the term, in any process."""
        waiting: list[Term] = [self]
        while waiting:
            one = waiting[-1]
            if hasattr(one, "_fingerprint"):
                waiting.pop()
            elif fresh := [child for child in one.children if not hasattr(child, "_fingerprint")]:
                waiting += fresh
            else:
                parts = [one.kind, one.sort.name, str(getattr(one._of, "name", one._of))]
                parts += [child._fingerprint for child in one.children]
                one._fingerprint = blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
        return self._fingerprint


class BoolTerm(Term):
    """A term for a truth value."""

    __slots__ = ()

    def __bool__(self) -> bool:
        """Raise ``TypeError``, because ``and``, ``or``, ``not`` and ``if`` of Python cannot produce terms.

        For the same reason, a term cannot be found in a list. It can be found in a dictionary or a set, which look
        for the same object.
        """
        raise TypeError(f"{self} is a term, not a Python truth value: use And, Or, Not or If")


class IntTerm(Term):
    """A term for an integer."""

    __slots__ = ()

    def __add__(self, other: "Number") -> "IntTerm":
        return _arithmetic(operators.ADD, self, integer(other))

    def __radd__(self, other: int) -> "IntTerm":
        return _arithmetic(operators.ADD, integer(other), self)

    def __sub__(self, other: "Number") -> "IntTerm":
        return _arithmetic(operators.SUB, self, integer(other))

    def __rsub__(self, other: int) -> "IntTerm":
        return _arithmetic(operators.SUB, integer(other), self)

    def __mul__(self, other: "Number") -> "IntTerm":
        return _arithmetic(operators.MUL, self, integer(other))

    def __rmul__(self, other: int) -> "IntTerm":
        return _arithmetic(operators.MUL, integer(other), self)

    def __truediv__(self, other: "Number") -> "IntTerm":
        return _arithmetic(operators.IDIV, self, integer(other))

    def __rtruediv__(self, other: int) -> "IntTerm":
        return _arithmetic(operators.IDIV, integer(other), self)

    def __mod__(self, other: "Number") -> "IntTerm":
        return _arithmetic(operators.MOD, self, integer(other))

    def __rmod__(self, other: int) -> "IntTerm":
        return _arithmetic(operators.MOD, integer(other), self)

    def __neg__(self) -> "IntTerm":
        return _arithmetic(operators.NEG, self)

    def __le__(self, other: "Number") -> "BoolTerm":
        return _made(BoolTerm, operators.LE, (self, integer(other)), BOOL)

    def __lt__(self, other: "Number") -> "BoolTerm":
        return _made(BoolTerm, operators.LT, (self, integer(other)), BOOL)

    def __ge__(self, other: "Number") -> "BoolTerm":
        return _made(BoolTerm, operators.GE, (self, integer(other)), BOOL)

    def __gt__(self, other: "Number") -> "BoolTerm":
        return _made(BoolTerm, operators.GT, (self, integer(other)), BOOL)


class Numeral(IntTerm):
    """A known integer.

    As a subclass, it gets comparisons first: ``x < IntVal(3)`` is 3 > x, as in z3py.
    """

    __slots__ = ()

    @property
    def number(self) -> int:
        """The numeral's value."""
        value: int = self._of
        return value


class ArrayTerm(Term):
    """A term for an array."""

    __slots__ = ()

    # The sort of an element depends on the array's sort.
    def __getitem__(self, place: Term) -> Any:
        of = cast(ArraySort, self.sort).range
        return _made(_class(of), operators.SELECT, (self, place), of)


T = TypeVar("T", bound=Term)
Truth: TypeAlias = BoolTerm | bool
Number: TypeAlias = IntTerm | int


class _Entry(ref[Term]):
    """A weak reference to a term, which knows the term's key."""

    __slots__ = ("key",)

    key: tuple[object, ...]


_TERMS: dict[tuple[object, ...], _Entry] = {}
"""All existing terms, by their operator and operands.

A term keeps its operands alive, so their addresses can serve as keys. ``WeakValueDictionary`` would take twice as long.
"""


def _forget(dead: ref[Term], terms: dict[tuple[object, ...], _Entry] = _TERMS) -> None:
    """Remove the entry of a term that no longer exists, unless the key has another term by now.

    ``terms``: global names may be gone when the interpreter ends.
    """
    key = cast(_Entry, dead).key
    if terms.get(key) is dead:
        del terms[key]


def _made(of: type[T], kind: str, children: tuple[Term, ...], sort: Sort, what: object = None) -> T:
    """Return the term with this operator and these operands: an existing one if there is one.

    ``what``: see ``Term._of``.
    """
    key = (kind, what, *map(id, children)) if children else (kind, what, id(sort))
    entry = _TERMS.get(key)
    if entry is not None and (found := entry()) is not None:
        return cast(T, found)
    made = of.__new__(of)
    made.kind, made.children, made.sort, made._of = kind, children, sort, what
    _TERMS[key] = entry = _Entry(made, _forget)
    entry.key = key
    return made


def _class(sort: Sort) -> type[Term]:
    if sort is INT:
        return IntTerm
    if sort is BOOL:
        return BoolTerm
    return ArrayTerm if isinstance(sort, ArraySort) else Term


def _arithmetic(kind: str, *children: Term) -> IntTerm:
    return _made(IntTerm, kind, children, INT)


def _equation(kind: str, left: Term, right: Term | int) -> BoolTerm:
    return _made(BoolTerm, kind, (left, _cast(right, left.sort)), BOOL)


def integer(value: Number) -> IntTerm:
    """Return the number as a term. Raises ``TypeError`` for anything else."""
    if isinstance(value, IntTerm):
        return value
    if isinstance(value, int):
        return IntVal(value)
    raise TypeError(f"{value!r} is not an integer")


def _bool(value: Truth) -> BoolTerm:
    """Return the truth value as a term. Raises ``TypeError`` for anything else."""
    if isinstance(value, BoolTerm):
        return value
    if isinstance(value, bool):
        return _TRUE if value else _FALSE
    raise TypeError(f"{value!r} is not a truth value")


def _cast(value: Term | Truth | Number, to: Sort) -> Term:
    """Return the value as a term of the sort ``to``."""
    if to is INT:
        return integer(cast(Number, value))
    return _bool(cast(Truth, value)) if to is BOOL else cast(Term, value)


def _printed(term: Term, depth: int) -> str:
    """Return the term in SMT-LIB syntax, with dots for deeper parts.

    Shared parts are repeated at each occurrence.
    """
    if not term.children:
        return str(term.kind if term._of is None else term._of)
    operator = "-" if term.kind == operators.NEG else term.name
    operands = [_printed(child, depth - 1) for child in term.children] if depth else ["..."]
    return f"({' '.join([operator, *operands])})"


_TRUE, _FALSE = _made(BoolTerm, operators.TRUE, (), BOOL), _made(BoolTerm, operators.FALSE, (), BOOL)


@dataclass(frozen=True, eq=False)
class UnknownFunction:
    """An uninterpreted function; made by ``Function``."""

    name: str
    arguments: tuple[Sort, ...]
    value: Sort

    # The sort of an application is the sort of the function's value.
    def __call__(self, *terms: Term | int) -> Any:
        pairs = zip(terms, self.arguments, strict=True)
        children = tuple(_cast(one, to) for one, to in pairs)
        return _made(_class(self.value), operators.UNINTERPRETED, children, self.value, self)


@cache
def Function(name: str, *sorts: Sort) -> UnknownFunction:
    """Return the unknown function of that name. The last sort is the sort of its value."""
    *arguments, value = sorts
    return UnknownFunction(name, tuple(arguments), value)


@overload
def Const(name: str, sort: ArraySort) -> ArrayTerm: ...
@overload
def Const(name: str, sort: Sort) -> Term: ...
def Const(name: str, sort: Sort) -> Term:
    """Return the unknown of that name and sort."""
    return _made(_class(sort), operators.UNINTERPRETED, (), sort, name)


def Bool(name: str) -> BoolTerm:
    """Return the unknown truth value of that name."""
    return _made(BoolTerm, operators.UNINTERPRETED, (), BOOL, name)


def Int(name: str) -> IntTerm:
    """Return the unknown integer of that name."""
    return _made(IntTerm, operators.UNINTERPRETED, (), INT, name)


def Ints(names: str) -> list[IntTerm]:
    """Return unknown integers, given their names separated by blanks."""
    return [Int(name) for name in names.split()]


def BoolVal(value: bool) -> BoolTerm:
    """Return the constant true or false."""
    return _TRUE if value else _FALSE


# The result has the type of any integer term, because lists that start with a numeral usually continue with other
# terms.
def IntVal(value: int) -> IntTerm:
    """Return the numeral for a Python integer."""
    return _made(Numeral, operators.NUMERAL, (), INT, int(value))


def Not(value: Truth) -> BoolTerm:
    """Return the negation."""
    return _made(BoolTerm, operators.NOT, (_bool(value),), BOOL)


@overload
def And(values: Iterable[Truth], /) -> BoolTerm: ...
@overload
def And(*values: Truth) -> BoolTerm: ...
def And(*values: Truth | Iterable[Truth]) -> BoolTerm:
    """Return the conjunction of the arguments, or of a list of them."""
    return _made(BoolTerm, operators.AND, _all(values), BOOL)


@overload
def Or(values: Iterable[Truth], /) -> BoolTerm: ...
@overload
def Or(*values: Truth) -> BoolTerm: ...
def Or(*values: Truth | Iterable[Truth]) -> BoolTerm:
    """Return the disjunction of the arguments, or of a list of them."""
    return _made(BoolTerm, operators.OR, _all(values), BOOL)


def _all(values: tuple[Truth | Iterable[Truth], ...]) -> tuple[BoolTerm, ...]:
    listed = values[0] if len(values) == 1 and not isinstance(values[0], (Term, bool)) else values
    return tuple(map(_bool, cast(Iterable[Truth], listed)))


def Implies(given: Truth, then: Truth) -> BoolTerm:
    """Return the implication."""
    return _made(BoolTerm, operators.IMPLIES, (_bool(given), _bool(then)), BOOL)


# Python's truth values are integers too, but a choice between two of them is a truth value.
@overload
def If(condition: Truth, then: BoolTerm, otherwise: Truth) -> BoolTerm: ...
@overload
def If(condition: Truth, then: bool, otherwise: BoolTerm) -> BoolTerm: ...
@overload
def If(condition: Truth, then: IntTerm, otherwise: Number) -> IntTerm: ...
@overload
def If(condition: Truth, then: int, otherwise: Number) -> IntTerm: ...
@overload
def If(condition: Truth, then: T, otherwise: T) -> T: ...
def If(condition: Truth, then: Any, otherwise: Any) -> Any:
    """Return the term that equals ``then`` if the condition holds, else ``otherwise``.

    Both have the same sort.
    """
    known = then if isinstance(then, Term) else otherwise if isinstance(otherwise, Term) else None
    of = known.sort if known is not None else BOOL if {type(then), type(otherwise)} == {bool} else INT
    if of is INT:
        then, otherwise = integer(then), integer(otherwise)
    elif of is BOOL:
        then, otherwise = _bool(then), _bool(otherwise)
    return _made(_class(of), operators.ITE, (_bool(condition), then, otherwise), of)


@overload
def Sum(values: Iterable[Number], /) -> IntTerm: ...
@overload
def Sum(*values: Number) -> IntTerm: ...
def Sum(*values: Number | Iterable[Number]) -> IntTerm:
    """Return the sum of the arguments, or of a list of them; 0 if there are none."""
    listed = values[0] if len(values) == 1 and not isinstance(values[0], (Term, int)) else values
    operands = tuple(map(integer, cast(Iterable[Number], listed)))
    return _arithmetic(operators.ADD, *operands) if operands else IntVal(0)


def Store(array: ArrayTerm, place: Term, value: Term) -> ArrayTerm:
    """Return the array ``array`` with another element at the index ``place``."""
    return _made(ArrayTerm, operators.STORE, (array, place, value), array.sort)


def applied(kind: str, operands: Sequence[Term], sort: Sort) -> Term:
    """Return the operator ``kind`` applied to these operands; ``sort``: the sort of the result."""
    return _made(_class(sort), kind, tuple(operands), sort)


def substitute(term: T, *pairs: tuple[Term, Term]) -> T:
    """Replace each pair's first term by its second wherever it occurs, all pairs at once."""
    done: dict[int, Term] = {id(old): new for old, new in pairs}
    for one in subterms(term):
        if id(one) not in done:
            children = [done[id(child)] for child in one.children]
            changed = any(map(is_not, children, one.children))
            done[id(one)] = one.over(children) if changed else one
    return cast(T, done[id(term)])


def subterms(*terms: Term) -> list[Term]:
    """Return all distinct subterms, including the terms themselves, each after its own subterms."""
    found: dict[int, Term] = {}
    waiting = [*reversed(terms)]
    while waiting:
        one = waiting[-1]
        if one.children and id(one) not in found:
            fresh = [child for child in one.children[::-1] if id(child) not in found]
            if fresh:
                waiting += fresh
                continue
        found[id(one)] = waiting.pop()
    return [*found.values()]


def is_expr(value: object) -> TypeIs[Term]:
    """Return whether the value is a term."""
    return isinstance(value, Term)


def is_bool(value: object) -> TypeIs[BoolTerm]:
    """Return whether the value is a term for a truth value."""
    return isinstance(value, BoolTerm)


def is_int_value(value: object) -> TypeIs[Numeral]:
    """Return whether the value is a numeral."""
    return isinstance(value, Numeral)


def is_const(value: object) -> bool:
    """Return whether the value is an unknown, a numeral, or a constant truth value."""
    return isinstance(value, Term) and not value.children


def is_true(value: object) -> bool:
    """Return whether the value is the constant true."""
    return value is _TRUE


def is_false(value: object) -> bool:
    """Return whether the value is the constant false."""
    return value is _FALSE
