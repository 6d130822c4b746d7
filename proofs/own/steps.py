"""Proof obligations about user-defined code, path by path, for all sizes.

All consumers have the same lists, and find their own id in cidAll. The paths are those through the code. Separate
obligations show that no other path exists, and that no index is outside its list.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations, product
from types import SimpleNamespace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.code.explore import Path
from rebalance_proofs.proofs.code.run import PLACE, Element, Segment, Unsupported
from rebalance_proofs.proofs.code.statements import Taken
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.growth.grown import STEPS, steps
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, position, sizes

# Formulas for the owner of a queue position.
# Some formulas are known, and the user can write one.

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


State = Callable[[SimpleNamespace], Statement]


@dataclass(frozen=True)
class Steps:
    """The proof obligations about one function, for all paths through it."""

    paths: tuple[Path, ...]

    @property
    def ways(self) -> list[tuple[int, Path]]:
        """Return the paths that return a list, each with its number, from 1."""
        return [(number, path) for number, path in enumerate(self.paths, 1) if not path.raises]

    def returns(self) -> Iterator[Obligation]:
        """Yield the obligations that the terms describe the code, and that it always returns a list."""

        def complete(v: SimpleNamespace) -> Statement:
            ways = [self.taken(path, v, "i").condition for _, path in self.ways]
            others = [self.taken(path, v, "i").condition for path in self.paths if path.raises]
            return Statement(sizes(v) | consumer(v, "i"), smt.And(smt.Or(ways), smt.Not(smt.Or(others))))

        yield _step("paths", "Every consumer gets a list on one of the paths.", ("q", "c", "i"), complete)
        for number, path in self.ways:
            if path.guards:

                def inside(v: SimpleNamespace, path: Path = path) -> Statement:
                    taken = self.taken(path, v, "i")
                    return Statement(self._given(v, ("i", path)), taken.guarded)

                yield _step(f"guards.{number}", "No index is outside its list.", ("q", "c", "i", "at"), inside)

    def inside(self) -> Iterator[Obligation]:
        """Yield the obligations that a result has only queues of mqAll, and none twice."""
        for number, path in self.ways:
            filtered = self.filtered(path)

            def within(v: SimpleNamespace, path: Path = path, filtered: bool = filtered) -> Statement:
                taken = self.taken(path, v, "i")
                if filtered:
                    return Statement(
                        self._given(v, ("i", path)) | {"it appends": taken.keeps(v.k)}, smt.And(0 <= v.k, v.k < v.q)
                    )
                elements = [smt.Implies(there, smt.And(0 <= x.place, x.place < v.q)) for there, x in taken.at(v.k)]
                return Statement(self._given(v, ("i", path)), smt.And(elements))

            yield _step(
                f"inside.{number}", "The queues that the consumer takes are in mqAll.", ("q", "c", "i", "k"), within
            )
            if not filtered:

                def once(v: SimpleNamespace, path: Path = path) -> Statement:
                    taken = self.taken(path, v, "i")
                    equal = [
                        smt.And(here, there, one.place == other.place)
                        for here, one in taken.at(v.k)
                        for there, other in taken.at(v.l)
                    ]
                    return Statement(self._given(v, ("i", path)) | {"k before l": v.k < v.l}, smt.Not(smt.Or(equal)))

                yield _step(f"once.{number}", "The consumer takes no queue twice.", ("q", "c", "i", "k", "l"), once)

    def disjoint(self) -> Iterator[Obligation]:
        """Yield the obligations that two consumers never get the same queue.

        There is one for each pair of paths, as the two consumers can take different paths.
        """
        for (one, first), (other, second) in combinations_with_replacement(self.ways, 2):

            def apart(v: SimpleNamespace, first: Path = first, second: Path = second) -> Statement:
                given = self._given(v, ("i", first), ("j", second)) | {"i and j differ": v.i != v.j}
                both = smt.And(
                    self._has(self.taken(first, v, "i"), v.p, v.k), self._has(self.taken(second, v, "j"), v.p, v.l)
                )
                return Statement(given, smt.Not(both))

            name = f"disjoint.{one}-{other}"
            yield _step(name, "Two consumers never take the same queue.", ("q", "c", "i", "j", "k", "l", "p"), apart)

    def balanced(self) -> Iterator[Obligation]:
        """Yield the obligations that queue counts differ by at most one.

        Raises ``Unsupported`` if a loop appends in only some of its iterations, because their number is unknown.
        """
        if any(self.filtered(path) for _, path in self.ways):
            raise Unsupported("the number of elements is unknown: a loop appends only in some iterations")
        yield STEPS
        for (one, first), (other, second) in combinations_with_replacement(self.ways, 2):

            def level(v: SimpleNamespace, first: Path = first, second: Path = second) -> Statement:
                i, j = self.taken(first, v, "i").length, self.taken(second, v, "j").length
                given = self._given(v, ("i", first), ("j", second)) | _instances(v.c, i, j)
                given |= {"i and j differ": v.i != v.j}
                return Statement(given, smt.And(i - j <= 1, j - i <= 1))

            yield _step(
                f"balanced.{one}-{other}", "Two queue counts differ by at most one.", ("q", "c", "i", "j"), level
            )

    def covers(self, owner: Owner) -> Iterator[Obligation]:
        """Yield the obligations that the consumer named by the formula ``owner`` gets the position."""

        def exists(v: SimpleNamespace) -> Statement:
            found = owner(v.q, v.c, v.p)
            return Statement(sizes(v) | position(v, "p"), smt.And(0 <= found, found < v.c))

        yield _step("owner-exists", "The named owner is a consumer.", ("q", "c", "p"), exists)
        for number, path in self.ways:

            def owns(v: SimpleNamespace, path: Path = path) -> Statement:
                named = SimpleNamespace(q=v.q, c=v.c, p=v.p, i=owner(v.q, v.c, v.p))
                taken = self.taken(path, named, "i")
                given = sizes(v) | position(v, "p") | {"its owner's path": taken.condition}
                return Statement(given, self._takes(taken, v.p))

            yield _step(f"owner-owns.{number}", "The named owner takes the position.", ("q", "c", "p"), owns)

    def taken(self, path: Path, v: SimpleNamespace, index: str) -> Taken:
        """Return the result that a path computes for the consumer with the index named ``index``."""
        known = {name: value for name, value in vars(v).items() if name in ("q", "c", "at")}
        return Taken(path, SimpleNamespace(**known, i=getattr(v, index)))

    def filtered(self, path: Path) -> bool:
        """Return whether a path's result is built by one loop that appends only in some iterations."""
        found = Taken(path, SimpleNamespace()).filtered
        if found and found.element.place is not smt.Int("at"):
            raise Unsupported("a loop that appends only in some iterations, and not the queue of the iteration")
        return bool(found)

    def _given(self, v: SimpleNamespace, *ways: tuple[str, Path]) -> dict[str, smt.BoolTerm]:
        given = sizes(v)
        for index, path in ways:
            given |= consumer(v, index) | {f"the path of {index}": self.taken(path, v, index).condition}
        return given

    def _has(self, taken: Taken, p: smt.IntTerm, k: smt.IntTerm) -> smt.BoolTerm:
        """Return the condition that position p is in the result.

        If the result consists of segments, p is at the index k in it.
        """
        if taken.filtered:
            return taken.keeps(p)
        return smt.Or([smt.And(there, element.place == p) for there, element in taken.at(k)])

    def _takes(self, taken: Taken, p: smt.IntTerm) -> smt.BoolTerm:
        """Return the condition that p is in the result, without an unknown index.

        The index is computed from the first two elements of each segment.
        """
        if taken.filtered:
            return taken.keeps(p)
        found = []
        for segment in taken.path.segments:
            assert isinstance(segment, Segment)
            element = Element(taken.term(segment.element.place))
            first, second = (element.at(PLACE, smt.IntVal(place)).place for place in (0, 1))
            by = simplify(second - first, som=True)
            k = (p - first) if by is smt.IntVal(1) else (p - first) / by
            found.append(smt.And(0 <= k, k < taken.term(segment.length), element.at(PLACE, k).place == p))
        return smt.Or(found)


def _instances(c: smt.IntTerm, *lengths: smt.IntTerm) -> dict[str, smt.BoolTerm]:
    """Return instances of lemma.steps for the quotients of the lengths by c.

    Each quotient is compared with the successor of every other quotient.
    """
    quotients = {str(found): found for length in lengths for found in _quotients(length, c)}
    return {
        f"an instance of steps: {one}, {other}": steps(c, first, second + 1)
        for (one, first), (other, second) in permutations(quotients.items(), 2)
    }


def _quotients(term: smt.Term, c: smt.IntTerm) -> Iterator[smt.IntTerm]:
    if term.kind == operators.IDIV and term.children[1] is c:
        assert isinstance(term, smt.IntTerm)
        yield term
    for child in term.children:
        yield from _quotients(child, c)


def _step(name: str, sentence: str, variables: Sequence[str], state: State) -> Obligation:
    return Obligation(name, sentence, tuple(variables), lambda e, v: state(v))
