"""Proof obligations about user-defined code, path by path, for all sizes.

All consumers have the same lists, and find their own id in cidAll. The paths are those through the code. Separate
obligations show that no other path exists, and that no index is outside its list.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from types import SimpleNamespace

from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.explore import Path
from rebalance_proofs.proofs.code.segments import PLACE, Element, Segment
from rebalance_proofs.proofs.code.statements import Taken
from rebalance_proofs.proofs.growth.steps import STEPS, steps
from rebalance_proofs.proofs.obligation import Obligation, Statement, consumer, position, sizes
from rebalance_proofs.proofs.own.owners import Owner

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
