"""Claims that a strategy's ``allocate`` code computes the same as the strategy's encoding.

The code is run symbolically, on lists of any length.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache, partial
from types import SimpleNamespace
from typing import Any, TypeVar

import numpy as np

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.machine_room import KINDS, MACHINE_ROOM, RoomEncoding
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.model.worlds.groups import AGREED, Member, SymbolicGroup
from rebalance_proofs.proofs.allocation.stated import name_consumer, stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.code.explore import Inputs
from rebalance_proofs.proofs.code.obligations import obligations
from rebalance_proofs.proofs.code.run import Element
from rebalance_proofs.proofs.code.source import code_of
from rebalance_proofs.proofs.code.statements import Subject, Taken, listed, paths, takes
from rebalance_proofs.proofs.guarantee import Guarantee, agreed

# Removal of remainders by unknowns, for the case that every dividend is below its divisor.

Term = TypeVar("Term", bound=smt.Term)


def plain(formula: smt.BoolTerm) -> tuple[smt.BoolTerm, list[smt.BoolTerm]]:
    """Replace x mod y by x wherever y is an unknown.

    Return the new formula and the conditions that 0 <= x < y. Together they imply the original formula. With numerals
    for all other divisors both are linear and exact.
    """
    needed: list[smt.BoolTerm] = []
    done: dict[smt.Term, Any] = {}

    def rewritten(term: Term) -> Term:
        """Return the term, of the same sort, with its remainders by unknowns replaced."""
        if term not in done:
            done[term] = _rewritten(term)
        found: Term = done[term]
        return found

    def _rewritten(term: smt.Term) -> Any:
        children = [rewritten(child) for child in term.children]
        if term.kind == operators.MOD and smt.is_const(children[1]) and not smt.is_int_value(children[1]):
            x, y = children
            needed.append(smt.And(0 <= x, x < y))
            return x
        return term.over(children)

    return rewritten(formula), needed


# The guarantee that a strategy's code computes the same as its encoding.
# It can also be checked on concrete groups.

NAME = "code"
SENTENCE = (
    "On lists of any length, the code of `allocate` returns exactly the encoding's list, and throws exactly for empty "
    "input"
)
EMPTY = "empty input: an empty client id or list"
ROOMS_GUARANTEE = "broker names of seven kinds, with any other queues between the selected ones"


def guarantee(subject: Subject, encoding: Encoding, source: str) -> Guarantee:
    """Return the guarantee about the code of one strategy.

    ``encoding`` is the strategy's correct encoding, not a mutant.
    """
    return Guarantee(
        name=NAME,
        sentence=SENTENCE,
        source=source,
        obligations=agreed(*obligations(subject, encoding)),
        violated=partial(violated, subject),
        violation=violation,
        assumes=(ROOMS_GUARANTEE,) if subject.rooms else (),
        where=(EMPTY,),
    )


def violated(subject: Subject, group: SymbolicGroup) -> smt.BoolTerm:
    """Return the condition that code and encoding give some consumer different results.

    The difference is at an index k of the result or at a position of mqAll. Every queue is selected. Where the code
    divides by an unknown, only cases that need no division are covered.
    """
    return smt.Or([wrong for member in group.members for wrong in _wrong(subject, member)])


def _wrong(subject: Subject, member: Member) -> Iterator[smt.BoolTerm]:
    k, p, e = smt.Int("k"), member.position, member.encoding
    view = (member.queues, member.consumers, member.index)
    numbers = dict(zip(("q", "c", "i"), view, strict=True))
    v = SimpleNamespace(**numbers, m=member.queues, p=p, kept=smt.IntVal(1), r=p, k=k, at=p)
    for number in listed(subject):
        taken = Taken(paths(subject)[number], v)
        if taken.filtered:
            differences = [e.owns(*view, p) != taken.keeps(p), *_counted(e, taken, p)]
        else:
            counted = smt.And(0 <= k, k < taken.length)
            here = smt.And(taken.is_at(k, e.element(*view, k), subject.reads), _takes(e, taken, k))
            there = taken.is_at(e.rank(*view, p), p, None)
            differences = [
                taken.length != e.count(*view),
                smt.And(counted, smt.Not(here)),
                smt.And(takes(e, v, Element(p)), smt.Not(there)),
            ]
        for difference in differences:
            seen, needed = plain(difference)
            yield smt.And(taken.condition, *needed, seen)


def _takes(e: Encoding, taken: Taken, k: smt.IntTerm) -> smt.BoolTerm:
    """Return the condition that the encoding gives the consumer the code's k-th element.

    For selected queues, only the case that position and rank are equal is covered.
    """
    if not isinstance(e, RoomEncoding):
        return smt.And([smt.Implies(inside, takes(e, taken.v, element)) for inside, element in taken.at(k)])
    v, yes = taken.v, smt.BoolVal(True)
    return smt.And([smt.Implies(inside, e.takes(v.q, v.c, v.i, x.place, yes, x.place)) for inside, x in taken.at(k)])


def _counted(e: Encoding, taken: Taken, p: smt.IntTerm) -> Iterator[smt.BoolTerm]:
    """Yield the two possible differences between the code's loop and the encoding's list.

    The loop appends a position that is missing from the list, or omits a position of the list.
    """
    v = taken.v
    rank, count = e.rank(v.q, v.c, v.i, p), e.count(v.q, v.c, v.i)
    yield smt.And(taken.keeps(p), smt.Not(smt.And(0 <= rank, rank < count, e.element(v.q, v.c, v.i, rank) == p)))
    yield smt.And(0 <= v.k, v.k < count, smt.Not(taken.keeps(e.element(v.q, v.c, v.i, v.k))))


def violation(group: Group, results: Results) -> str | None:
    """Describe the first consumer whose result in ``results`` differs from the encoding's.

    Results are compared as lists or as sets. None if none differs.
    """
    known: dict[tuple[int, int, int], tuple[tuple[list[int], list[int]], ...]] = {}
    for place, (consumer, result) in enumerate(zip(group.consumers, results, strict=True)):
        found = positions_in(consumer.mq_all, result)
        view = id(consumer.strategy), len(consumer.mq_all), len(consumer.cid_all)
        if view not in known:  # terms would be hashed for each consumer
            known[view] = _said(consumer.strategy.encoding, *view[1:])
        said, owned = known[view][consumer.cid_all.index(consumer.client_id)]
        if found != said:
            return f"{name_consumer(group, place)} has the positions {found}; the encoding gives {said}."
        if sorted(found) != owned:
            return f"{name_consumer(group, place)} has the positions {found}; in the encoding it owns {owned}."
    return None


@lru_cache(maxsize=8)
def _said(encoding: Encoding, q: int, c: int) -> tuple[tuple[list[int], list[int]], ...]:
    """Return, for each consumer, the encoding's list and its positions.

    Every queue of mqAll is selected.
    """
    counted, at, owns = _kernels(encoding)
    index, positions = np.arange(c)[:, None], np.arange(q)
    counts = np.broadcast_to(counted(q, c, index)[0], (c, 1))[:, 0]
    most = max(int(counts.max()), 0)
    listed_ = np.broadcast_to(at(q, c, index, np.arange(most))[0], (c, most))
    owned = np.broadcast_to(owns(q, c, index, positions)[0], (c, q))
    return tuple(
        (elements[: max(count, 0)].tolist(), positions[row].tolist())
        for count, elements, row in zip(counts.tolist(), listed_, owned, strict=True)
    )


@cache
def _kernels(encoding: Encoding) -> tuple[Kernel, Kernel, Kernel]:
    q, c, i, x = smt.Ints("q c i x")
    owns = encoding.owns(q, c, i, x)
    if isinstance(encoding, RoomEncoding):
        owns = encoding.takes(q, c, i, x, smt.BoolVal(True), x)
    return (
        compile_kernel(("q", "c", "i"), encoding.count(q, c, i)),
        compile_kernel(("q", "c", "i", "x"), encoding.element(q, c, i, x)),
        compile_kernel(("q", "c", "i", "x"), owns),
    )


ROOMS = Inputs("m", "q", KINDS)

SUBJECTS: tuple[tuple[Strategy, Inputs, bool | None, tuple[str, ...]], ...] = (
    (AVERAGELY, Inputs(), False, ("dropped-min", "le-for-lt", "mod-left-out")),
    (AVERAGELY_BY_CIRCLE, Inputs(), False, ("ge-for-eq", "count-rounded-up")),
    (MACHINE_ROOM, ROOMS, True, ("remainder-from-the-front", "no-remainder")),
    (MACHINE_ROOM_GO, ROOMS, None, ("remainder-from-the-front", "block-rounded-up")),
)
"""Strategy -> its code with symbolic inputs, and mutants that its claim must reject.

``Subject.reads`` names the list that the result refers to. Tests apply all mutants of the encoding.
"""


def subject_of(strategy: Strategy) -> Subject:
    """Return the code of the strategy, with its symbolic inputs.

    Raises ``LookupError`` for a strategy without such claims.
    """
    for known, inputs, reads, _ in SUBJECTS:
        if known is strategy:
            return Subject(code_of(strategy.allocate), inputs, reads)
    raise LookupError(f"{strategy.name}: its code cannot be analysed")


def claims() -> tuple[Claim, ...]:
    """Return all claims about executed code, in the order of the ledger."""
    return tuple(_claim(strategy, noticed) for strategy, _, _, noticed in SUBJECTS)


def _claim(strategy: Strategy, noticed: tuple[str, ...]) -> Claim:
    found = guarantee(subject_of(strategy), strategy.encoding, SOURCES[strategy.name])
    about = f"{strategy.rocketmq_name}{' (Go)' if strategy is MACHINE_ROOM_GO else ''}"
    return replace(stated("code", (strategy,), found, AGREED, about=about), notices=noticed)


_JAVA = "https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/rebalance/"
SOURCES = {
    "avg": f"{_JAVA}AllocateMessageQueueAveragely.java",
    "circle": f"{_JAVA}AllocateMessageQueueAveragelyByCircle.java",
    "room": f"{_JAVA}AllocateMessageQueueByMachineRoom.java",
    "room-go": "https://github.com/apache/rocketmq-client-go/blob/master/consumer/strategy.go",
}
"""Strategy -> address of the RocketMQ file that its Python code was translated from."""
