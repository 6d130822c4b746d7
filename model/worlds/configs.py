"""The world of the strategy CONFIG, where each consumer has a configured list of queues.

The list may contain a queue that the topic does not have. A group is encoded as digits (see
``model.worlds.groups.Groups``).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED, Member, SymbolicGroup, Values, in_range
from rebalance_proofs.model.worlds.settings import encoding_of


@dataclass(frozen=True)
class Lists:
    """The configured list of each consumer (``model.group.Setting``)."""

    given: tuple[tuple[str, tuple[int, ...], bool], ...]
    """For each consumer: id, positions in its list, and whether the list has an unknown queue."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return one sentence for each consumer, for the printed description of the group."""
        said = []
        for client_id, positions, elsewhere in self.given:
            names = [f"queue {position}" for position in positions] + ["a queue of an unknown broker"] * elsewhere
            said.append(f"{client_id} is configured with {', '.join(names) or 'an empty list'}.")
        return tuple(said)


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return the group that the digits ``values`` encode.

    Consumer k has q + 1 digits: one bit per queue, and one for the queue that the topic does not have.
    """
    bare = AGREED.group(strategies, n, q, ())
    consumers, given = [], []
    for place, consumer in enumerate(bare.consumers):
        *bits, elsewhere = values[place * (q + 1) : (place + 1) * (q + 1)]
        positions = tuple(position for position, bit in enumerate(bits) if bit)
        listed = [bare.queues[position] for position in positions] + [MessageQueue("T", "broker-z", place)] * elsewhere
        strategy = consumer.strategy.configured(queues=tuple(listed))
        consumers.append(replace(consumer, strategy=strategy))
        given.append((consumer.client_id, positions, bool(elsewhere)))
    return Group(bare.queues, tuple(consumers), Lists(tuple(given)))


def names(n: int, q: int) -> list[str]:
    """Return the names of the SMT unknowns for the digits."""
    return [f"has{place}-{position}" for place in range(n) for position in range(q + 1)]


def symbolic(encodings: Sequence[None], n: int, q: int) -> SymbolicGroup:
    """Return n consumers with unknown configured lists, as SMT terms.

    CONFIG returns the configured list unchanged, so the terms compute nothing.
    """
    bits = [smt.Int(name) for name in names(n, q)]
    position = smt.Int("p")
    members = []
    for place in range(n):
        *own, elsewhere = bits[place * (q + 1) : (place + 1) * (q + 1)]
        members.append(member([bit == 1 for bit in own], elsewhere == 1, n, place, position))
    constraints = (0 <= position, position < q, *in_range(bits, [2] * len(bits)))
    return SymbolicGroup(smt.IntVal(q), tuple(members), constraints, (position, *bits))


def member(own: Sequence[smt.BoolTerm], elsewhere: smt.BoolTerm, n: int, place: int, position: smt.IntTerm) -> Member:
    """Return the consumer at index ``place``; ``own``: for each queue, whether its list has it.

    If ``elsewhere`` holds, its list also ends with a position outside mqAll. ``position``: the queue that the claim
    is about.
    """
    inside, listed = encoding_of(own), encoding_of([*own, elsewhere])
    encoding = replace(inside, count=listed.count, element=listed.element)
    return Member(encoding, smt.IntVal(len(own)), smt.IntVal(n), smt.IntVal(place), position)


def assignment(n: int, q: int, values: Values, queue: int) -> Mapping[str, int]:
    """Return the values of the symbolic unknowns for a concrete group and one of its queues."""
    return {"p": queue} | dict(zip(names(n, q), values, strict=True))


def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
    """Return q and the digits of the group that an assignment describes.

    The inverse of ``assignment``.
    """
    q = (len(assignment) - 1) // n - 1
    return q, tuple(assignment[name] for name in names(n, q))


CONFIGS = replace(
    AGREED,
    name="configs",
    sentence="All consumers see the same lists; each consumer has a configured list of queues.",
    radices=lambda n, q: (2,) * (n * (q + 1)),
    groups=lambda n, q: 2 ** (n * (q + 1)),
    group=group,
    symbolic=symbolic,
    assignment=assignment,
    configuration=configuration,
    bound=(3, 3),
    sized=True,
)
