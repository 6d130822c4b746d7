"""Obligations that a strategy's code computes what its encoding describes.

All paths of the code are run, and each gives the encoding's result. The statements are rebuilt from the code on every
request, so that claims contain no terms.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from rebalance_proofs.model.allocation.machine_room import RoomEncoding
from rebalance_proofs.model.allocation.strategy import AllocationError, Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_kernel, unknowns
from rebalance_proofs.proofs.allocation.lists import LISTING
from rebalance_proofs.proofs.code.explore import Path
from rebalance_proofs.proofs.code.statements import Subject, Taken, listed, paths, premises, takes
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.texts import SIZES
from rebalance_proofs.proofs.vacuity.goals import FINITE

# Assumptions and conclusions of the obligations about a path through a strategy's code.
# ``e`` is the strategy's encoding; ``taken`` is the path at given values.


def always(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return no assumptions."""
    return {}


def inside(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that all guards are true, so that the path's terms describe the code."""
    return taken.guarded


def counted(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that k is an index of the encoding's list."""
    v = taken.v
    return {"k is an index of the encoding's list": smt.And(0 <= v.k, v.k < e.count(v.q, v.c, v.i))}


def passed(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the loop has an iteration for the encoding's k-th position, and appends it."""
    turn = e.element(taken.v.q, taken.v.c, taken.v.i, taken.v.k)
    return smt.And(taken.keeps(turn), taken.appended(turn) == turn)


def ordered(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the loop reaches the encoding's k-th position before the next one."""
    v = taken.v
    return e.element(v.q, v.c, v.i, v.k) < e.element(v.q, v.c, v.i, v.k + 1)


def passing(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that the loop appends in the iteration ``at``."""
    return {"the loop appends in this iteration": taken.keeps(taken.v.at)}


def ranked(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the encoding's list contains the appended position.

    Together with ``passed`` and ``ordered``, both lists are equal.
    """
    v = taken.v
    rank = e.rank(v.q, v.c, v.i, v.at)
    return smt.And(0 <= rank, rank < e.count(v.q, v.c, v.i), e.element(v.q, v.c, v.i, rank) == v.at)


def as_long(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the code's and the encoding's list have the same length."""
    return taken.length == e.count(taken.v.q, taken.v.c, taken.v.i)


def within(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that k is an index of the code's result."""
    return {"k counts elements": smt.And(0 <= taken.v.k, taken.v.k < taken.length)}


def same(kept: bool | None, e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the encoding gives the consumer the k-th element of the code's result.

    The element is from the selected queues (``kept`` is true), from mqAll (false), or from either (None).
    """
    v = taken.v
    return taken.is_at(v.k, e.element(v.q, v.c, v.i, v.k), kept)


def ranks(e: Encoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that p is a position of mqAll.

    r is the number of selected queues before p; ``kept`` is 1 if the queue at p is selected itself.
    """
    v = taken.v
    return {
        "p is a position of mqAll": smt.And(0 <= v.p, v.p < v.m),
        "r selected queues are before p": smt.And(0 <= v.r, v.r <= v.p, v.r + v.kept <= v.q),
    } | truth_values(v, "kept")


def all_taken(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that the encoding gives the consumer the k-th element of the code's result.

    This is for any positions of other queues between the selected ones.
    """
    return smt.And([smt.Implies(inside, takes(e, taken.v, element)) for inside, element in taken.at(taken.v.k)])


def taken_by_encoding(e: RoomEncoding, taken: Taken) -> Mapping[str, smt.BoolTerm]:
    """Return the assumption that the encoding gives the consumer position p."""
    v = taken.v
    return {**ranks(e, taken), "i takes p": e.takes(v.q, v.c, v.i, v.p, v.kept == 1, v.r)}


def there(e: Encoding, taken: Taken) -> smt.BoolTerm:
    """Conclude that position p is in the code's result, at the index that the encoding gives."""
    v = taken.v
    of_all = taken.is_at(e.rank(v.q, v.c, v.i, v.p), v.p, kept=False)
    return smt.Or(of_all, smt.And(v.kept == 1, taken.is_at(e.rank(v.q, v.c, v.i, v.r), v.r, kept=True)))


# Obligations about all paths of a strategy's code together.
# No path is missing, and invalid arguments raise.


def whole(subject: Subject) -> tuple[Obligation, ...]:
    """Return the obligations about all paths together."""
    known = subject.unknowns
    any_id = (*known, "named", "listed")
    found = (
        Obligation(
            "refuses", "The code throws exactly for an empty id or an empty list.", any_id, partial(refuses, subject)
        ),
        Obligation("unlisted", "A consumer that is not in cidAll takes no queue.", any_id, partial(unlisted, subject)),
        Obligation(
            "paths", "Every consumer in cidAll follows one of the listed paths.", known, partial(complete, subject)
        ),
    )
    if not subject.rooms:
        return found
    said = "A queue of mqAll is selected exactly if the encoding selects brokers of that kind."
    return (*found, Obligation("kept", said, ("m", "kind", "at"), partial(kept, subject)))


def _over(path: Path, v: SimpleNamespace) -> smt.BoolTerm:
    return smt.substitute(path.condition, *((smt.Int(name), value) for name, value in vars(v).items()))


def refuses(subject: Subject, e: Encoding, v: SimpleNamespace) -> Statement:
    """State that the code raises exactly for an empty id or an empty list.

    The lists have any length.
    """
    queues = v.m if subject.rooms else v.q
    thrown = [_over(path, v) for path in paths(subject) if path.raises is AllocationError]
    others = [_over(path, v) for path in paths(subject) if path.raises not in (None, AllocationError)]
    given = {"lists of any length": smt.And(queues >= 0, v.c >= 0)} | truth_values(v, "named", "listed")
    refused = smt.Or(v.named == 0, queues == 0, v.c == 0)
    return Statement(given, smt.And(smt.Or(thrown) == refused, smt.Not(smt.Or(others))))


def unlisted(subject: Subject, e: Encoding, v: SimpleNamespace) -> Statement:
    """State that a consumer that is not in cidAll gets no queue."""
    ways = [path for path in paths(subject) if not path.raises and not path.segments and not path.guards]
    given = premises(subject, v) | {"its id is not empty": v.named == 1, "it is not listed": v.listed == 0}
    return Statement(given, smt.Or([_over(path, v) for path in ways]))


def complete(subject: Subject, e: Encoding, v: SimpleNamespace) -> Statement:
    """State that for every consumer in cidAll the code takes one of the explored paths."""
    ways = [Taken(paths(subject)[number], v).condition for number in listed(subject)]
    return Statement(premises(subject, v), smt.Or(ways))


def kept(subject: Subject, e: RoomEncoding, v: SimpleNamespace) -> Statement:
    """State that the code selects exactly the queues of mqAll that the encoding selects."""
    given = {
        "a position of mqAll": smt.And(0 <= v.at, v.at < v.m),
        "its broker is of some kind": smt.And(0 <= v.kind, v.kind < len(subject.inputs.names)),
    }
    found = {str(rule): rule for path in paths(subject) for rule in path.kept}
    over = [(smt.Int(name), value) for name, value in vars(v).items()]
    return Statement(given, smt.And([smt.substitute(rule, *over) == e.keeps(v.kind) for rule in found.values()]))


# Check that a formula is true for some small numbers.
# This shows that assumptions are satisfiable.


def met(names: tuple[str, ...], formula: smt.BoolTerm) -> bool:
    """Return whether the formula is true for some small values of ``names``.

    The numbers q and c of queues and consumers are from ``SIZES``. The other unknowns have values from their finite
    set, or from 0 up to the larger of q and c plus one.
    """
    names = tuple(name for name in names if name in unknowns(formula) | {"q", "c"})
    kernel = compile_kernel(names, formula)
    for q, c in SIZES:
        sized = {"q": (q,), "c": (c,)}
        ranges = [sized.get(name) or FINITE.get(name) or range(max(q, c) + 2) for name in names]
        columns = np.array(list(product(*ranges)), dtype=np.int64).T
        if np.any(kernel(*columns)[0]):
            return True
    return False


Then = Callable[[Any, Taken], smt.BoolTerm]
Given = Callable[[Any, Taken], Mapping[str, smt.BoolTerm]]


def obligations(subject: Subject, encoding: Encoding) -> tuple[Obligation, ...]:
    """Return all obligations about the strategy's code.

    The correct ``encoding`` is used only to find statements that would be vacuous. Raises ``Unsupported`` for code
    that cannot be analysed.
    """
    own = [step for number in listed(subject) for step in _Path(subject, encoding, number).steps()]
    return (*whole(subject), *own, *(() if subject.rooms else LISTING))


def step(subject: Subject, number: int, layers: int, given: Given, then: Then, e: Any, v: SimpleNamespace) -> Statement:
    """Return one statement about a path, with ``layers`` additional layers of assumptions.

    ``given`` and ``then`` build its own assumptions and conclusion. The layers are the path's condition and these
    assumptions. If fewer layers are used, because all together are unsatisfiable, the statement concludes that the
    next layer is false.
    """
    taken = Taken(paths(subject)[number], v)
    found: list[Mapping[str, smt.BoolTerm]] = [{f"on path {number + 1}": taken.condition}, given(e, taken)]
    assumed: Mapping[str, smt.BoolTerm] = premises(subject, v)
    for layer in found[:layers]:
        assumed = {**assumed, **layer}
    if layers < len(found):
        return Statement(assumed, smt.Not(smt.And(*found[layers].values())))
    return Statement(assumed, then(e, taken))


@dataclass(frozen=True)
class _Path:
    """The obligations about one path through the code."""

    subject: Subject
    encoding: Encoding
    number: int

    def steps(self) -> Iterator[Obligation]:
        """Yield the obligations about the path, in the order of the proof."""
        path = paths(self.subject)[self.number]
        if path.guards:
            yield self._step(
                "inside",
                "No index is outside its list, no divisor is 0, and no loop raises.",
                ("at",),
                always,
                inside,
            )
        if Taken(path, SimpleNamespace()).filtered:
            yield self._step("element", "The code appends the k-th element of the encoding.", ("k",), counted, passed)
            yield self._step(
                "order", "The code appends the k-th element before the next one.", ("k",), counted, ordered
            )
            yield self._step(
                "length",
                "Every element that the code appends is in the encoding's list.",
                ("at",),
                passing,
                ranked,
            )
            return
        kept = self.subject.reads
        yield self._step("length", "The result has the same length as the encoding's list.", (), always, as_long)
        yield self._step(
            "element",
            "The k-th element equals the encoding's k-th element.",
            ("k",),
            within,
            partial(same, kept),
        )
        if self.subject.rooms:
            yield self._step(
                "taken",
                "The encoding takes each element of the result.",
                ("k", "p", "kept", "r"),
                ranks,
                all_taken,
            )
            yield self._step(
                "only",
                "The result contains every element that the encoding takes.",
                ("p", "kept", "r"),
                taken_by_encoding,
                there,
            )

    def _step(self, part: str, sentence: str, names: tuple[str, ...], given: Given, then: Then) -> Obligation:
        variables = (*self.subject.unknowns, *names)
        for layers in (2, 1, 0):
            state = partial(step, self.subject, self.number, layers, given, then)
            if met(variables, smt.And(*Obligation("", "", variables, state).statement(self.encoding).given.values())):
                break
        name = f"path-{self.number + 1}.{part}"
        said = (f"No consumer is on path {self.number + 1}.", "This path has no such element.")
        return Obligation(
            name, (*said, f"On path {self.number + 1}: {sentence}")[layers], variables, state, goals=_none
        )


def _none(v: SimpleNamespace, bound: int) -> tuple[()]:
    """Return no cases for the vacuity check: the condition of a path limits its values.

    The obligation ``paths`` shows that no path is missing.
    """
    return ()
