"""Worlds of groups that agree on both lists, of strategies with further inputs like rooms.

In a group, all consumers run one strategy, or two strategies are compared or mixed. The further inputs are called the
setting of a group.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import Any, NotRequired, TypedDict, Unpack

from rebalance_proofs.model.allocation.strategy import Encoding, Strategy
from rebalance_proofs.model.group import Consumer, Group, Setting, client_ids
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import how_many
from rebalance_proofs.model.worlds.groups import (
    AGREED,
    SAME_CLIENT,
    Groups,
    Member,
    SymbolicGroup,
    Values,
    in_range,
    numeral,
    skipping,
)

# SMT encoding of one consumer's result for a fixed number of queues.
# The encoding is built from one condition for each queue, under which the consumer owns it.


def sized_member(owned: Sequence[smt.BoolTerm], n: int, place: int, position: smt.IntTerm) -> Member:
    """Return the consumer at index ``place`` of n, which owns position p if ``owned[p]`` holds.

    ``position`` is the position of the queue that the claim is about.
    """
    return Member(encoding_of(owned), smt.IntVal(len(owned)), smt.IntVal(n), smt.IntVal(place), position)


def with_length(member: Member, length: smt.IntTerm) -> Member:
    """Return the member with another length of its result.

    Elements beyond the owned queues count as queues outside mqAll.
    """
    return replace(member, encoding=replace(member.encoding, count=lambda q, c, index: length))


def encoding_of(owned: Sequence[smt.BoolTerm]) -> Encoding:
    """Return the encoding of a consumer that takes the owned queues in mqAll's order.

    ``owned[p]`` is true if the consumer owns position p. The parts of the encoding ignore their arguments q, c and
    index.
    """
    before = [how_many(list(owned[:position])) for position in range(len(owned))]

    def owns(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.BoolTerm:
        return smt.Or([smt.And(position == place, has) for place, has in enumerate(owned)])

    def element(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, k: smt.IntTerm) -> smt.IntTerm:
        at = [smt.And(has, rank == k) for has, rank in zip(owned, before, strict=True)]
        return reduce(lambda rest, place: smt.If(at[place], place, rest), reversed(range(len(owned))), smt.IntVal(-1))

    def rank(q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm, position: smt.IntTerm) -> smt.IntTerm:
        return reduce(
            lambda rest, place: smt.If(position == place, before[place], rest), range(len(owned)), smt.IntVal(-1)
        )

    def owner(q: smt.IntTerm, c: smt.IntTerm, position: smt.IntTerm) -> smt.IntTerm:
        raise ValueError("one consumer's queues do not determine the owners of the other queues")

    return Encoding(owns=owns, count=lambda q, c, index: how_many(list(owned)), element=element, rank=rank, owner=owner)


Owned = Sequence[Sequence[smt.BoolTerm]]
"""``owned[place][p]``: true if the consumer at index ``place`` takes queue p."""

Settled = tuple[tuple[MessageQueue, ...], tuple[Strategy, ...], Setting | None]
"""The queues, the configured strategies, and the setting that is printed."""


def every_queue(encoding: Any, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> list[smt.BoolTerm]:
    """Return true for each queue of the topic; the default of ``handed_out``."""
    return [smt.BoolVal(True)] * q


@dataclass(frozen=True)
class SettingFamily:
    """All possible settings: inputs of a strategy besides mqAll and cidAll.

    Settings exist as digits, as concrete objects, and as SMT terms with one unknown for each digit.
    """

    radices: Callable[[int, int], Sequence[int]]
    settle: Callable[[Sequence[Strategy], int, int, Values], Settled]
    """``settle(strategies, n, q, values)`` returns queues, configured strategies and setting."""
    names: Callable[[int, int], Sequence[str]]
    """``names(n, q)`` returns the names of the unknowns."""
    owned: Callable[[Any, int, int, int, Sequence[smt.IntTerm]], Owned]
    """``owned(encoding, which, n, q, unknowns)``: each consumer's queues; see ``Owned``.

    ``which`` is 1 for the second of two strategies, else 0.
    """
    handed_out: Callable[[Any, int, int, Sequence[smt.IntTerm]], Sequence[smt.BoolTerm]] = every_queue
    """Function that returns for each queue whether the strategy assigns it at all.

    For two strategies, whether both do.
    """
    lengths: Callable[[Any, int, int, Sequence[smt.IntTerm]], Sequence[smt.IntTerm]] | None = None
    """Function that returns the length of each consumer's result.

    Needed only if a result can contain a queue twice. None for the number of owned queues.
    """
    constraints: Callable[[int, int, Sequence[smt.IntTerm]], tuple[smt.BoolTerm, ...]] | None = None
    """The constraints on the unknowns; None for digits below the radices."""
    admits: Callable[[int, int, Values], bool] = lambda n, q, values: True
    groups: Callable[[int, int], int] | None = None
    """The number of digit strings in closed form; by default the product of the radices."""
    nth: Callable[[int, int, int], Values] | None = None
    """``nth(n, q, number)`` returns the digits of the setting with this index, ascending.

    Required together with ``admits``.
    """
    numbers: Callable[[int, int, Values], Sequence[int]] = lambda n, q, values: values
    """Function that returns the values of the unknowns for given digits."""
    values: Callable[[int, int, Sequence[int]], Values] = lambda n, q, numbers: tuple(numbers)
    """Function that returns the digits for given values of the unknowns."""

    def count(self, n: int, q: int) -> int:
        """Return the number of settings for n consumers and q queues."""
        return self.groups(n, q) if self.groups else prod(self.radices(n, q))

    def digits(self, n: int, q: int, number: int) -> Values:
        """Return the digits of the setting with index ``number``, in ascending order."""
        return self.nth(n, q, number) if self.nth else numeral(number, self.radices(n, q))

    def constrained(self, n: int, q: int, unknowns: Sequence[smt.IntTerm]) -> tuple[smt.BoolTerm, ...]:
        """Return the constraints that the unknowns encode a setting."""
        if self.constraints:
            return self.constraints(n, q, unknowns)
        return in_range(unknowns, self.radices(n, q))


def alone(
    family: SettingFamily,
    *,
    bound: tuple[int, int],
    name: str,
    sentence: str,
    usual: tuple[int, int, int] | None = None,
) -> Groups:
    """Build the world where all consumers run one strategy, and agree on everything."""

    def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
        queues, settled, setting = family.settle(strategies, n, q, values)
        return _group(queues, [settled[0]] * n, setting)

    def symbolic(encodings: Sequence[Any], n: int, q: int) -> SymbolicGroup:
        unknowns = [smt.Int(name) for name in family.names(n, q)]
        return _symbolic(family, encodings, n, q, unknowns, family.owned(encodings[0], 0, n, q, unknowns))

    return _premise(
        family, group, symbolic, bound=bound, usual=usual, name=name, sentence=sentence, otherwise="", without=""
    )


def compared(family: SettingFamily, *, bound: tuple[int, int], name: str, sentence: str) -> Groups:
    """Build the world where all consumers run the first of two strategies.

    The reference group runs the second.
    """

    def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
        queues, settled, setting = family.settle(strategies, n, q, values)
        other = _group(queues, [settled[1]] * n, setting)
        return _group(queues, [settled[0]] * n, setting, other)

    def symbolic(encodings: Sequence[Any], n: int, q: int) -> SymbolicGroup:
        unknowns = [smt.Int(name) for name in family.names(n, q)]
        first, second = (family.owned(encoding, which, n, q, unknowns) for which, encoding in enumerate(encodings))
        return _symbolic(family, encodings, n, q, unknowns, first, second)

    return _premise(
        family, group, symbolic, bound=bound, name=name, sentence=sentence, otherwise="", without="", subjects=2
    )


def mixed(family: SettingFamily, *, bound: tuple[int, int], source: str = AGREED.source) -> Groups:
    """Build the world where each consumer runs one of two strategies, and both are run.

    The n more digits select each consumer's strategy. The two are one strategy in two clients. The dropped
    assumption is that all consumers run the same client.
    """

    def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
        queues, settled, setting = family.settle(strategies, n, q, values[:-n])
        return _group(queues, [settled[choice] for choice in values[-n:]], setting)

    def symbolic(encodings: Sequence[Any], n: int, q: int) -> SymbolicGroup:
        unknowns = [smt.Int(name) for name in family.names(n, q)]
        choices = [smt.Int(f"client{place}") for place in range(n)]
        first, second = (family.owned(encoding, which, n, q, unknowns) for which, encoding in enumerate(encodings))
        owned = [
            [smt.If(choices[place] == 0, one, other) for one, other in zip(first[place], second[place], strict=True)]
            for place in range(n)
        ]
        return _symbolic(family, encodings, n, q, unknowns, owned, choices=choices)

    return _premise(
        family,
        group,
        symbolic,
        choices=True,
        name="same-client",
        sentence="All consumers run the same client.",
        otherwise="the group mixes clients of different languages",
        drops=SAME_CLIENT,
        without="Services of one group are written in different languages, or move from one client to another.",
        source=source,
        bound=bound,
        subjects=2,
    )


def _group(
    queues: tuple[MessageQueue, ...],
    strategies: Sequence[Strategy],
    setting: Setting | None,
    reference: Group | None = None,
) -> Group:
    ids = client_ids(len(strategies))
    consumers = (
        Consumer(client_id, queues, ids, strategy) for client_id, strategy in zip(ids, strategies, strict=True)
    )
    return Group(queues, tuple(consumers), setting, reference)


def _symbolic(
    family: SettingFamily,
    encodings: Sequence[Any],
    n: int,
    q: int,
    unknowns: Sequence[smt.IntTerm],
    owned: Owned,
    reference: Owned = (),
    choices: Sequence[smt.IntTerm] = (),
) -> SymbolicGroup:
    position = smt.Int("p")
    handed_out = map(smt.And, *(family.handed_out(encoding, n, q, unknowns) for encoding in encodings))
    members = tuple(sized_member(has, n, place, position) for place, has in enumerate(owned))
    if family.lengths:
        lengths = family.lengths(encodings[0], n, q, unknowns)
        members = tuple(map(with_length, members, lengths))
    return SymbolicGroup(
        smt.IntVal(q),
        members,
        (
            0 <= position,
            position < q,
            *family.constrained(n, q, unknowns),
            *in_range(choices, [2] * len(choices)),
            *(smt.Or([choice == used for choice in choices]) for used in (0, 1) if choices),
        ),
        (position, *unknowns, *choices),
        tuple(sized_member(has, n, place, position) for place, has in enumerate(reference)),
        smt.Or([smt.And(position == place, out) for place, out in enumerate(handed_out)]),
    )


class _Told(TypedDict):
    """Fields of ``Groups`` that callers may replace."""

    name: str
    sentence: str
    otherwise: str
    without: str
    bound: tuple[int, int]
    usual: NotRequired[tuple[int, int, int] | None]
    drops: NotRequired[str]
    subjects: NotRequired[int]


def _premise(
    family: SettingFamily,
    group: Callable[[Sequence[Strategy], int, int, Values], Group],
    symbolic: Callable[..., SymbolicGroup],
    *,
    choices: bool = False,
    source: str = AGREED.source,
    **fields: Unpack[_Told],
) -> Groups:
    def bits(n: int) -> int:
        return n if choices else 0

    def parts(n: int, values: Values) -> tuple[Values, Values]:
        return (values[:-n], values[-n:]) if choices else (values, ())

    def admits(n: int, q: int, values: Values) -> bool:
        digits, chosen = parts(n, values)
        return family.admits(n, q, digits) and (not choices or (0 in chosen and 1 in chosen))

    def nth(n: int, q: int, number: int) -> Values:
        if not choices:
            return family.digits(n, q, number)
        digits, chosen = divmod(number, 2**n - 2)
        # Strings in which all consumers run the same strategy are excluded.
        return (*family.digits(n, q, digits), *numeral(skipping(chosen, (0, 2**n - 1)), (2,) * n))

    def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
        digits, chosen = parts(n, values)
        named = dict(zip(family.names(n, q), family.numbers(n, q, digits), strict=True))
        return {"p": queue} | named | {f"client{place}": choice for place, choice in enumerate(chosen)}

    def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
        # The number of queues follows from the names.
        q = next(q for q in range(1, len(assignment) + 1) if set(family.names(n, q)) == _unknowns(assignment))
        numbers = [assignment[name] for name in family.names(n, q)]
        return q, (*family.values(n, q, numbers), *(assignment[f"client{place}"] for place in range(bits(n))))

    return Groups(
        source=source,
        radices=lambda n, q: (*family.radices(n, q), *(2,) * bits(n)),
        admits=admits,
        groups=lambda n, q: family.count(n, q) * (2**n - 2 if choices else 1),
        group=group,
        symbolic=symbolic,
        assignment=assignment,
        configuration=configuration,
        sized=True,
        nth=nth,
        **fields,
    )


def _unknowns(assignment: Mapping[str, int]) -> set[str]:
    return {name for name in assignment if name != "p" and not name.startswith("client")}
