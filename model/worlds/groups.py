"""A world: the groups that can exist in it, as concrete consumers and as SMT terms.

Every guarantee of an allocation strategy rests on what the consumers see being the same. A premise names one such
condition; its file says which groups become possible when this one condition is dropped and all others are kept.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.worlds.numerals import numeral

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
"""The assumptions about groups, as noun phrases; a world may drop one."""


@dataclass(frozen=True)
class Member:
    """One consumer of a symbolic group, with regard to one queue of the topic."""

    encoding: Encoding
    queues: smt.IntTerm
    """q as this consumer sees it."""
    consumers: smt.IntTerm
    """c as this consumer sees it."""
    index: smt.IntTerm
    """First position of its own id in its own cidAll."""
    position: smt.IntTerm
    """Position of the queue in question in its own mqAll."""
    sees: smt.BoolTerm = YES
    """Whether the queue in question is in its mqAll."""
    listed: smt.BoolTerm = YES
    """Whether its id is in its cidAll and it subscribes to the topic; otherwise it gets nothing."""

    @property
    def owns(self) -> smt.BoolTerm:
        """Whether it takes the queue in question."""
        takes = self.encoding.owns(self.queues, self.consumers, self.index, self.position)
        return smt.And(self.listed, self.sees, takes)

    @property
    def count(self) -> smt.IntTerm:
        """The length of its result if it is listed; a consumer that is not gets nothing, whatever this says."""
        return self.encoding.count(self.queues, self.consumers, self.index)


@dataclass(frozen=True)
class SymbolicGroup:
    """n consumers with unknown views and one unknown queue of the topic.

    n is fixed; the number of queues is not, unless the world is ``sized``.
    """

    queues: smt.IntTerm
    """How many queues the topic has, over all views."""
    members: tuple[Member, ...]
    constraints: tuple[smt.BoolTerm, ...]
    variables: tuple[smt.IntTerm, ...]
    """The unknowns; an assignment of integers to them is a group together with a queue of its topic."""
    reference: tuple[Member, ...] = ()
    """The members of the group that it is compared with, place by place (see ``model.group.Group.reference``).

    A consumer that is not in both groups is not listed in the other one.
    """
    handed_out: smt.BoolTerm = YES
    """Whether the queue in question is one of those that the strategy hands out at all."""


@dataclass(frozen=True)
class Groups:
    """A world: the groups that exist if every premise holds, or if one is dropped.

    A group of n consumers and q queues is encoded by its ``values``: one digit for each entry of ``radices(n, q)``.
    """

    name: str
    """Name used in claim ids: ``distinct-ids``."""
    sentence: str
    """What holds, as a sentence; for a world without a premise, what that premise says."""
    otherwise: str
    """What is the case without the premise, as words after "even if"; empty when none is dropped."""
    without: str
    """How that comes about, in sentences."""
    source: str
    radices: Callable[[int, int], Sequence[int]]
    admits: Callable[[int, int, Values], bool]
    """Whether the digits encode a group at all."""
    groups: Callable[[int, int], int]
    """Closed form of how many digit strings ``admits`` for n consumers and q queues."""
    group: Callable[[Sequence[Strategy], int, int, Values], Group]
    symbolic: Callable[..., SymbolicGroup]
    """``symbolic(encodings, n)``, or ``symbolic(encodings, n, q)`` when it is ``sized``."""
    assignment: Callable[[int, int, Values, int], Mapping[str, int]]
    """``assignment(n, q, values, queue)``: the group and one of its queues as values of the symbolic variables."""
    configuration: Callable[[int, Mapping[str, int]], tuple[int, Values]]
    """``configuration(n, assignment)``: q and the digits of a group in which that assignment is seen."""
    bound: tuple[int, int]
    """(consumers, queues): the largest groups that are enumerated unless the user says otherwise."""
    usual: tuple[int, int, int] | None = None
    """(consumers, queues, both together): how far is gone unless asked to be thorough; as far as ``bound`` if None.

    docs/explanation/decisions/enumeration.md says what the rest has ever found.
    """
    beyond: str = ""
    """The unusual event that it allows although it drops no assumption, as words after "even if"."""
    drops: str = ""
    """The one of ``ASSUMED`` that it drops; empty if none."""
    subjects: int = 1
    """How many different strategies run in the group."""
    sized: bool = False
    """The symbolic group is for one number of queues, because every queue has unknowns of its own (a hash, a room)."""

    nth: Callable[[int, int, int], Values] | None = None
    """``nth(n, q, number)``: the digits of the group with that number among those of its size, in ascending order.

    To be given unless every digit string names a group.
    """

    kind: ClassVar[str] = "allocation"
    """The kind of the claims that are made in it."""

    @property
    def assumes(self) -> tuple[str, ...]:
        """The assumptions about groups, without the dropped one."""
        return tuple(one for one in ASSUMED if one != self.drops)

    @property
    def dropped(self) -> bool:
        """Whether a premise is dropped; False if every premise holds."""
        return bool(self.otherwise)

    @property
    def even_if(self) -> str:
        """What it lets happen that is not usual, as words after "even if"; empty if nothing."""
        return self.otherwise or self.beyond

    @property
    def varied(self) -> bool:
        """Whether there is more than one group of a size."""
        return bool(self.radices(2, 2))

    def values(self, n: int, q: int, number: int) -> Values:
        """The digits of the group with that number, from 0 on, among those of n consumers and q queues."""
        return self.nth(n, q, number) if self.nth else numeral(number, self.radices(n, q))

    def all_values(self, n: int, q: int) -> Iterator[Values]:
        """The digits of every group of n consumers and q queues."""
        for values in _numerals(self.radices(n, q)):
            if self.admits(n, q, values):
                yield values


def _numerals(radices: Sequence[int]) -> Iterator[Values]:
    """All strings of digits below these radices, counting upwards.

    ``itertools.product`` of their ranges gives the same, but makes a list of each range first, which 90! orders forbid.
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
    """Integer unknowns with these names."""
    return tuple(smt.Int(name) for name in names)


def in_range(digits: Sequence[smt.IntTerm], radices: Sequence[int]) -> tuple[smt.BoolTerm, ...]:
    """The constraints that each digit is below its radix."""
    return tuple(smt.And(0 <= digit, digit < radix) for digit, radix in zip(digits, radices, strict=True))


def digit_variables(name: str, count: int, radix: int) -> tuple[tuple[smt.IntTerm, ...], tuple[smt.BoolTerm, ...]]:
    """Unknown digits ``name0 ..`` and their range."""
    digits = variables(*(f"{name}{number}" for number in range(count)))
    return digits, in_range(digits, [radix] * count)


def some_queue(q: smt.IntTerm, position: smt.IntTerm) -> list[smt.BoolTerm]:
    """The constraints that there are q >= 1 queues and ``position`` is one of them."""
    return [q >= 1, 0 <= position, position < q]
