"""A world: a set of consumer groups, as concrete consumers and as SMT terms.

Every guarantee of an allocation strategy depends on consumers seeing the same inputs. An assumption names one such
condition. The assumption's file defines the groups that become possible if only this condition is dropped.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy, queues_for
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import YES

# Digit strings of mixed radix by index, in ascending order.
# Either all strings are counted, or all except a few.

Digits = tuple[int, ...]


def numeral(number: int, radices: Sequence[int]) -> Digits:
    """Return the digits of a number in a mixed-radix system; the last digit changes fastest."""
    digits = []
    for radix in reversed(radices):
        number, digit = divmod(number, radix)
        digits.append(digit)
    return tuple(digits[::-1])


def alike(digit: int, radix: int, length: int) -> int:
    """Return the index of the digit string that repeats ``digit`` in all ``length`` places."""
    return sum(digit * radix**place for place in range(length))


def skipping(number: int, left_out: Sequence[int]) -> int:
    """Map the index of an allowed string to its index among all strings.

    ``left_out`` are the ascending indexes of the excluded strings.
    """
    for missing in left_out:
        if number >= missing:
            number += 1
    return number


Values = tuple[int, ...]
SAME_MQ_ALL, SAME_ORDER = "the same mqAll for all consumers", "the same sort order of queues for all consumers"
SAME_CID_ALL, SAME_ID_ORDER = "the same cidAll for all consumers", "the same sort order of ids for all consumers"
DISTINCT_IDS, OWN_ID_LISTED = "unique client ids in cidAll", "every consumer's own id in cidAll"
SAME_SUBSCRIPTION, SAME_STRATEGY = "all members subscribed to the topic", "the same strategy for all consumers"
SAME_CLIENT = "the same client for all consumers"
ASSUMED = (
    SAME_MQ_ALL,
    SAME_ORDER,
    SAME_CID_ALL,
    SAME_ID_ORDER,
    DISTINCT_IDS,
    OWN_ID_LISTED,
    SAME_SUBSCRIPTION,
    SAME_STRATEGY,
    SAME_CLIENT,
)
"""The assumptions about groups, as noun phrases for sentences; a world may drop one of them."""


@dataclass(frozen=True)
class Member:
    """One consumer of a symbolic group, and its view of one queue of the topic."""

    encoding: Encoding
    queues: smt.IntTerm
    """The number q of queues in this consumer's view."""
    consumers: smt.IntTerm
    """The number c of client ids in this consumer's view."""
    index: smt.IntTerm
    """First position of the consumer's own id in its own cidAll."""
    position: smt.IntTerm
    """Position of the queue in the consumer's own mqAll."""
    sees: smt.BoolTerm = YES
    """True if the queue is in the consumer's mqAll."""
    listed: smt.BoolTerm = YES
    """True if the consumer's id is in its cidAll and it subscribes to the topic.

    Otherwise it gets nothing.
    """

    @property
    def owns(self) -> smt.BoolTerm:
        """Return whether the strategy gives the queue to this consumer."""
        takes = self.encoding.owns(self.queues, self.consumers, self.index, self.position)
        return smt.And(self.listed, self.sees, takes)

    @property
    def count(self) -> smt.IntTerm:
        """Return the number of queues that the strategy gives to this consumer.

        The number is for a listed consumer; one that is not listed gets nothing.
        """
        return self.encoding.count(self.queues, self.consumers, self.index)


@dataclass(frozen=True)
class SymbolicGroup:
    """A group of consumers with unknown views, and one unknown queue of the topic, as SMT terms.

    n is fixed. The number of queues is unknown, unless the world is ``sized``.
    """

    queues: smt.IntTerm
    """The number of queues of the topic, counting each queue that some consumer knows."""
    members: tuple[Member, ...]
    constraints: tuple[smt.BoolTerm, ...]
    variables: tuple[smt.IntTerm, ...]
    """The unknowns.

    An assignment of integers to them describes a group and one queue of its topic.
    """
    reference: tuple[Member, ...] = ()
    """The members of the group to compare with; see ``model.group.Group.reference``.

    Members with the same index in both groups are the same consumer. A consumer that is in only one of the groups
    is not listed in the other one.
    """
    handed_out: smt.BoolTerm = YES
    """True if the strategy assigns the queue to any consumer at all."""


@dataclass(frozen=True)
class Groups:
    """A world: a set of consumer groups where all assumptions hold, or where one is dropped.

    The groups of n consumers and q queues are numbered. Each is encoded by its ``values``: a digit string with one
    digit for each entry of ``radices(n, q)``, which is below that entry.
    """

    name: str
    """Name for claim ids: ``distinct-ids``."""
    sentence: str
    """The world's assumption as a sentence; in a world that drops one, the dropped assumption."""
    otherwise: str
    """The situation without the assumption, as words after "even if"; empty if none is dropped."""
    without: str
    """Sentences that describe how the dropped assumption can fail in practice."""
    source: str
    radices: Callable[[int, int], Sequence[int]]
    admits: Callable[[int, int, Values], bool]
    """``admits(n, q, values)``: true if the digits encode a group."""
    groups: Callable[[int, int], int]
    """``groups(n, q)``: the number of groups of n consumers and q queues, by a formula.

    This is the number of digit strings that ``admits`` accepts.
    """
    group: Callable[[Sequence[Strategy], int, int, Values], Group]
    symbolic: Callable[..., SymbolicGroup]
    """``symbolic(encodings, n)``, or with a further ``q`` if ``sized``: the symbolic group."""
    assignment: Callable[[int, int, Values, int], Mapping[str, int]]
    """``assignment(n, q, values, queue)`` returns the values of the symbolic group's unknowns.

    They describe the group that the digits ``values`` encode, and its queue at position ``queue``.
    """
    configuration: Callable[[int, Mapping[str, int]], tuple[int, Values]]
    """``configuration(n, assignment)`` returns q and the digits of a matching group."""
    bound: tuple[int, int]
    """Default limits of an enumeration: largest number of consumers, largest number of queues."""
    usual: tuple[int, int, int] | None = None
    """Smaller default limits unless a thorough run is requested: (consumers, queues, their sum).

    None for ``bound``. docs/explanation/decisions/enumeration.md lists the findings beyond these limits.
    """
    beyond: str = ""
    """The unusual situation in a world that drops no assumption, as words after "even if"."""
    drops: str = ""
    """The dropped assumption, one of ``ASSUMED``; empty if none is dropped."""
    subjects: int = 1
    """The number of different strategies in each group."""
    sized: bool = False
    """True if the symbolic group is for one number of queues.

    This is necessary if each queue has its own unknowns (a hash, a room).
    """

    nth: Callable[[int, int, int], Values] | None = None
    """``nth(n, q, number)`` returns the digits of the group with this index.

    Digit strings are in ascending order. Required unless every digit string encodes a group.
    """

    kind: ClassVar[str] = "allocation"
    """Kind of the claims about this world, as a name; other claims are not about groups."""
    defines: ClassVar[tuple[str, ...]] = ()
    """Definitions of words that claims about this world use."""

    @property
    def assumes(self) -> tuple[str, ...]:
        """Return the assumptions that hold in this world, as noun phrases."""
        return tuple(one for one in ASSUMED if one != self.drops)

    @property
    def dropped(self) -> bool:
        """True if an assumption is dropped, False if all hold."""
        return bool(self.otherwise)

    @property
    def even_if(self) -> str:
        """The unusual situation in this world, as words after "even if"; empty if there is none."""
        return self.otherwise or self.beyond

    @property
    def varied(self) -> bool:
        """True if the world has more than one group of some size."""
        return bool(self.radices(2, 2))

    def values(self, n: int, q: int, number: int) -> Values:
        """Return the digits of the group with index ``number``, from 0 on.

        The index counts the groups of n consumers and q queues.
        """
        return self.nth(n, q, number) if self.nth else numeral(number, self.radices(n, q))

    def all_values(self, n: int, q: int) -> Iterator[Values]:
        """Yield the digits of every group of n consumers and q queues."""
        for values in _numerals(self.radices(n, q)):
            if self.admits(n, q, values):
                yield values


def _numerals(radices: Sequence[int]) -> Iterator[Values]:
    """Yield all digit strings below these radices, in ascending order.

    ``itertools.product`` of their ranges gives the same, but first makes a list of each range: impossible for 90!
    orders.
    """
    values = [0] * len(radices)
    place = 0 if all(radices) else -1
    while place >= 0:
        yield tuple(values)
        place = len(radices) - 1
        while place >= 0 and values[place] == radices[place] - 1:
            values[place] = 0
            place -= 1
        if place >= 0:
            values[place] += 1


def variables(*names: str) -> tuple[smt.IntTerm, ...]:
    """Return integer unknowns of SMT terms with these names."""
    return tuple(smt.Int(name) for name in names)


def in_range(digits: Sequence[smt.IntTerm], radices: Sequence[int]) -> tuple[smt.BoolTerm, ...]:
    """Return the constraints that each digit is from 0 to its radix minus 1."""
    return tuple(smt.And(0 <= digit, digit < radix) for digit, radix in zip(digits, radices, strict=True))


def digit_variables(name: str, count: int, radix: int) -> tuple[tuple[smt.IntTerm, ...], tuple[smt.BoolTerm, ...]]:
    """Return unknown digits ``name0``, ``name1``, ...

    and the constraints that they are below ``radix``.
    """
    digits = variables(*(f"{name}{number}" for number in range(count)))
    return digits, in_range(digits, [radix] * count)


def some_queue(q: smt.IntTerm, position: smt.IntTerm) -> list[smt.BoolTerm]:
    """Return the constraints that there are q >= 1 queues and that ``position`` is one of them."""
    return [q >= 1, 0 <= position, position < q]


# Build worlds whose groups are encoded as bits, such as one bit per consumer.


def of_bits(bit: str, bits: Callable[[int], int], **fields: Any) -> Groups:
    """Build a world where ``bits(n)`` bits describe a group of n consumers and any queues.

    The symbolic group's unknowns must be q, the queue's position p, and the bits ``<bit>0``, ``<bit>1``, ...
    ``fields`` are the other fields of ``Groups``. By default, ``admits`` accepts all bit strings, and ``groups``
    counts all of them.
    """

    def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
        return {"q": q, "p": queue} | {f"{bit}{place}": value for place, value in enumerate(values)}

    def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
        return assignment["q"], tuple(assignment[f"{bit}{place}"] for place in range(bits(n)))

    everything = {"admits": lambda n, q, values: True, "groups": lambda n, q: 2 ** bits(n)}
    return Groups(
        radices=lambda n, q: (2,) * bits(n),
        assignment=assignment,
        configuration=configuration,
        **(everything | fields),
    )


# The world where all assumptions hold.
# All consumers of a group see the same sorted lists, and run the same strategy.


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values = ()) -> Group:
    """Return n consumers that see the same q queues and n ids, and run the same strategy."""
    queues, ids = queues_for(strategies, q), client_ids(n)
    return Group(queues, tuple(Consumer(client_id, queues, ids, strategies[0]) for client_id in ids))


def symbolic(encodings: Sequence[Encoding], n: int) -> SymbolicGroup:
    """Return n consumers that agree on everything as SMT terms, for any number q of queues."""
    q, position = variables("q", "p")
    members = tuple(Member(encodings[0], q, smt.IntVal(n), smt.IntVal(place), position) for place in range(n))
    return SymbolicGroup(q, members, tuple(some_queue(q, position)), (q, position))


AGREED = of_bits(
    bit="",
    bits=lambda n: 0,
    name="agreed",
    sentence=(
        "All consumers run the same strategy and see the same sorted mqAll and cidAll, with each consumer's id once."
    ),
    otherwise="",
    without="",
    source="https://rocketmq.apache.org/docs/featureBehavior/08consumerloadbalance",
    group=group,
    symbolic=symbolic,
    bound=(64, 64),
)
