"""Chapters about strategies on the ledger's first page, docs/reference/ledger.md."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cmp_to_key
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, TypeVar

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES, ClientError, Profile
from rebalance_proofs.model.queues import (
    CompareIds,
    MessageQueue,
    StringKey,
    by_int32_difference,
    by_value,
    one_broker,
    utf8_bytes,
    utf16_units,
)
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Claim
from rebalance_proofs.report.allocation.caption import notes, told
from rebalance_proofs.report.allocation.sentences import CLIENTS, MOVEMENT, PROMISES, column, family, over, smallest
from rebalance_proofs.report.markdown_tables import NOTHING, link, mark, table
from rebalance_proofs.report.names import client, clients, of_client, shippers, subject
from rebalance_proofs.report.text.english import group_size, listing
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.bounds import Bounds

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

# Chapter that compares clients pair by pair: does one strategy name mean the same implementation?

SAME_NAME_HEAD = """## Same name, same function?

Every strategy name, with all pairs of clients that ship it. "The same": one record of the model computes the recorded
results of both clients (`rebalance conform`). "Another": the linked claim says that the functions differ. {unrecorded}
"""
SMALLEST = """The smallest group on which two functions disagree:
"""


@dataclass(frozen=True)
class Pairing:
    """Pairs of clients that ship a strategy with the same name."""

    name: str
    sides: tuple[tuple[Profile, ...], ...]
    """Clients grouped by implementation.

    With one group, its clients are paired; with two, each client of one is paired with each of the
    other."""
    strategies: tuple[Strategy, ...]
    """The implementation that each group of clients in ``sides`` ships."""

    @property
    def pairs(self) -> int:
        """Number of pairs of clients."""
        return comb(len(self.sides[0]), 2) if len(self.sides) == 1 else len(self.sides[0]) * len(self.sides[1])


def pairings() -> tuple[Pairing, ...]:
    """Return all pairs of clients, name by name."""
    found = []
    for name in dict.fromkeys(strategy.rocketmq_name for strategy in ALL):
        shipped = [strategy for strategy in ALL if strategy.rocketmq_name == name and shippers(strategy)]
        found += [Pairing(name, (shippers(one),), (one,)) for one in shipped if len(shippers(one)) > 1]
        found += [
            Pairing(name, (shippers(one), shippers(other)), (one, other)) for one, other in combinations(shipped, 2)
        ]
    return tuple(found)


def same_name(claims: Sequence[Claim]) -> str:
    """Return the chapter's text: the table, and the smallest group on which two implementations differ."""
    unrecorded = [client(profile) for profile in PROFILES if profile.recorded_as is None]
    said = "All clients were recorded."
    if unrecorded:
        said = (
            f"{listing(unrecorded)} was not recorded and is taken to be the same as Java 5 (for CONSISTENT_HASH, if "
            "UTF-8 is the default charset)."
        )
    every = [(found, _claim(found, claims)) for found in pairings()]
    rows = [(found.name, _clients_of(found), str(found.pairs), _said(found, claim)) for found, claim in every]
    smallest_groups = [f"- {link(claim, claim.id)}: {disagreement(claim)}" for _, claim in every if claim]
    header = ("name", "clients", "pairs", "function")
    return "\n".join([SAME_NAME_HEAD.format(unrecorded=said), table(header, rows), "", SMALLEST, *smallest_groups])


def _clients_of(found: Pairing) -> str:
    sides = [listing(map(client, side)) for side in found.sides]
    if len(sides) == 1 and found.pairs == 1:
        return " with ".join(map(client, found.sides[0]))
    return f"{sides[0]}, each with each" if len(sides) == 1 else f"{sides[0]} with {sides[1]}"


def _claim(found: Pairing, claims: Sequence[Claim]) -> Claim | None:
    """Return the claim that compares the two implementations; None if there is no such claim."""
    names = {strategy.name for strategy in found.strategies}
    same = (claim for claim in claims if claim.guarantee.name == "same")
    return next((one for one in same if len(names) > 1 and {each.name for each in one.subjects} == names), None)


def _said(found: Pairing, claim: Claim | None) -> str:
    if len(found.sides) == 1:
        return "the same"
    return "another; not claimed" if claim is None else f"another: {link(claim, claim.id)}"


@cache
def disagreement(claim: Claim) -> str:
    """Return the smallest counterexample to the claim that two implementations agree, in a few sentences."""
    example = smallest(claim)
    size = group_size((example.consumers, example.queues))
    return f"{size}: {' '.join((*notes(example), told(example)))}"


Order = TypeVar("Order", StringKey, CompareIds)
Thing = TypeVar("Thing")
Key = Callable[[Thing], "SupportsRichComparison"]

HEAD = """## In what else clients differ

Clients that run the same function still disagree if they sort lists differently
([example](ledger/allocation.md#allocation.avg.covers.without-same-order)), or if one keeps its queues where another
releases them.
"""

EMPTY = """How AVG treats an empty argument, and what happens to the queues that the client holds:
"""

ORDERS: Mapping[object, str] = {
    utf16_units: "by UTF-16 units",
    utf8_bytes: "by UTF-8 bytes",
    by_value: "as numbers",
    by_int32_difference: "by their difference in 32 bits",
}
LETTERS = ("a", "b", "é", "中", "｡", "😀")
"""Letters of one to four UTF-8 bytes.

The last one sorts above the halfwidth ``｡`` by code point, but below it by UTF-16 units, as Java sorts.
"""
GIVEN = (0, 1, 2, 2**31 - 1)
"""Queue ids as brokers assign them, counted from 0; the sort orders are compared on these."""
NUMBERS = (*GIVEN, -1, -2, -(2**31))
"""Queue ids of a Java int, also negative ones; the sort orders are compared on these, too."""


def differences() -> str:
    """Return the chapter's text: a table of sort orders, and one of AVG's results for empty arguments."""
    return "\n".join([HEAD, _orders(), "", EMPTY, _clients()])


def _orders() -> str:
    strings = {profile.name: profile.string_key for profile in PROFILES}
    ids = {profile.name: profile.compare_queue_ids for profile in PROFILES}
    rows = [
        *_rows("topics, broker names, client ids", strings, lambda order: order, LETTERS, _letters),
        *_rows("queue ids from 0, as brokers assign them", ids, cmp_to_key, GIVEN, str),
        *_rows("any queue ids", ids, cmp_to_key, NUMBERS, str),
    ]
    header = ("sorted", "one order", "another order", "shortest list that differs")
    return table(header, rows)


def _rows(
    what: str,
    orders: dict[str, Order],
    key: Callable[[Order], Key[Thing]],
    things: Sequence[Thing],
    shown: Callable[[Thing], str],
) -> Iterable[tuple[str, ...]]:
    for one, other in combinations(dict.fromkeys(orders.values()), 2):
        sides: list[str] = []
        for order in (one, other):
            names = [client(profile) for profile in PROFILES if orders[profile.name] is order]
            sides.append(f"{ORDERS.get(order, order.__name__)}: {listing(names)}")
        found = smallest_lists(key(one), key(other), things)
        if found is None:
            yield what, *sides, f"none among {listing(map(shown, things))}"
        else:
            lists = (f"[{', '.join(map(shown, side))}]" for side in found)
            yield what, *sides, " against ".join(lists)


def smallest_lists(
    one: Key[Thing], other: Key[Thing], things: Sequence[Thing]
) -> tuple[list[Thing], list[Thing]] | None:
    """Return the shortest list of ``things`` that two sort keys order differently, in each of the two orders.

    None if there is no such list.
    """
    for length in range(2, len(things) + 1):
        for chosen in combinations(things, length):
            both = sorted(chosen, key=one), sorted(chosen, key=other)
            if both[0] != both[1]:
                return both
    return None


def _letters(text: str) -> str:
    return f"{text} ({' '.join(f'U+{ord(letter):04X}' for letter in text)})"


def _clients() -> str:
    rows = [
        (
            client(profile),
            profile.observed,
            *(f"`{said}`" for said in empties(profile)),
            profile.on_empty_arguments.value,
        )
        for profile in PROFILES
    ]
    header = ("client", "observed", "mqAll is empty", "cidAll is empty", "currentCID is empty", "queues that it holds")
    return table(header, rows)


def empties(profile: Profile) -> tuple[str, ...]:
    """Return the results of the client's AVG for an empty mqAll, an empty cidAll, and an empty currentCID."""
    queues, ids = one_broker(1), ("c0",)
    return _result(profile, "c0", (), ids), _result(profile, "c0", queues, ()), _result(profile, "", queues, ids)


def _result(profile: Profile, cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> str:
    try:
        result = profile.allocate(AVERAGELY, cid, mq_all, cid_all)
    except ClientError as error:
        return str(error)
    return "nil" if profile.refusal is None else str(result)


# Chapter with a table of all strategy implementations that clients ship, and the claims about each.


# Chapter with a table of the sets of groups that the enumerator tries, and the number of groups in each.
# The number comes from a formula, so that it is independent of the enumerator.

SPACES_HEAD = """## What is enumerated

A run enumerates every group within these bounds, once for all claims about it. It asserts that the number of groups
equals a closed form. If all assumptions hold and only the two lists matter, there is one group of each size. In other
cases, groups of one size differ in the view of each consumer, in broker names, rooms, topics or configured lists, or in
hash values. For hash values a run tries every order of virtual nodes and queues around the ring, including collisions.
"""


def spaces(claims: Sequence[Claim]) -> str:
    """Return the chapter's text: a table with one row for each enumeration."""
    bounds = Bounds()
    rows = []
    for check in checks([claim for claim in claims if claim.kind == Groups.kind]):
        space, dropped = bounds.space(check.world), check.world.dropped
        together = "" if space.together is None else f", q + c <= {space.together}"
        rows.append(
            (
                subject(check.subjects),
                f"without {check.world.name}" if dropped else check.world.name,
                f"1 to {space.max_queues}",
                f"1 to {space.max_consumers}{together}",
                f"{space.groups:,}",
                ", ".join(dict.fromkeys(guarantee.name for guarantee in check.guarantees)),
            )
        )
    header = ("strategy", "case", "queues q", "consumers c", "number of groups", "guarantees")
    return "\n".join([SPACES_HEAD, table(header, rows)])


GLANCE_HEAD = """## At a glance

One row for each function that a client ships. A name of several functions has several rows. All
consumers see the same lists; [otherwise](ledger/allocation.md#one-topic-one-assumption-fails) other claims apply. Each
symbol links to its claim.

- ✓: The claim is proved for all numbers of queues and consumers.
- ◇: A smallest counterexample refutes the claim.
- (✓): The claim is about another name of the same function.
- –: There is no claim.
"""


def glance(claims: Sequence[Claim]) -> str:
    """Return the chapter's text: the table, and notes on implementations with few or limited claims."""
    promised = [
        claim
        for claim in claims
        if family(claim) in (PROMISES, MOVEMENT) and len(claim.subjects) == 1 and _plain(claim)
    ]
    columns = _columns(promised)
    functions = _functions()
    rows = [
        (
            _name(strategy, promised),
            ", ".join(map(client, shippers(strategy))),
            *(_cell(strategy, name, promised) for name in columns),
        )
        for strategy in functions
    ]
    notes = [f"- {said}" for strategy in functions for said in _known(strategy, claims, promised)]
    return "\n".join([GLANCE_HEAD, table(("strategy", "clients", *columns), rows), "", *notes])


def _functions() -> tuple[Strategy, ...]:
    """Return all strategy implementations that clients ship.

    Those with the same name are adjacent.
    """
    names = list(dict.fromkeys(strategy.rocketmq_name for strategy in ALL))
    return tuple(sorted(filter(shippers, ALL), key=lambda strategy: names.index(strategy.rocketmq_name)))


def _columns(promised: Sequence[Claim]) -> tuple[str, ...]:
    """Return the columns: guarantees about one group, and those about joins that several strategies have."""
    inside = dict.fromkeys(column(claim) for claim in promised if family(claim) == PROMISES)
    of_several = (name for name, own in grouped(promised, column).items() if len({c.subjects[0].name for c in own}) > 1)
    return tuple(inside | dict.fromkeys(of_several))


def _plain(claim: Claim) -> bool:
    """Return whether the claim is about the default configuration, unlike ``covers.without-virtual-nodes``."""
    return not claim.variant


def _of(strategy: Strategy, promised: Sequence[Claim]) -> list[Claim]:
    """Return claims about this strategy, with the same inner strategy if it has one."""
    return [claim for claim in promised if claim.subjects[0].name == strategy.name]


def _name(strategy: Strategy, promised: Sequence[Claim]) -> str:
    limited = any(over(claim) for claim in _of(strategy, promised))
    return of_client(strategy) + (" \\*" if limited else "")


def twin(strategy: Strategy) -> Strategy | None:
    """Return a strategy with another name and the same code: Go's MACHINE_ROOM_NEARBY is AVG."""
    return next((other for other in ALL if other is not strategy and other.allocate is strategy.allocate), None)


def _cell(strategy: Strategy, name: str, promised: Sequence[Claim]) -> str:
    own = mark(claim for claim in _of(strategy, promised) if column(claim) == name)
    other = twin(strategy)
    if own != NOTHING or other is None:
        return own
    known = mark(claim for claim in _of(other, promised) if column(claim) == name)
    return known if known == NOTHING else f"({known})"


def _scopes(own: Sequence[Claim]) -> list[str]:
    """Return notes on proved guarantees that hold only in a limited scope."""
    found = grouped((claim for claim in own if claim.scope not in (UNBOUNDED, EXISTS)), lambda claim: claim.scope)
    return [
        f"✓{f' of {listing(map(column, claims))}' if len(found) > 1 else ''} is {scope}"
        for scope, claims in found.items()
    ]


def _known(strategy: Strategy, claims: Sequence[Claim], promised: Sequence[Claim]) -> list[str]:
    """Return notes on a strategy implementation, such as missing claims or claims of limited scope."""
    own, other, name = _of(strategy, promised), twin(strategy), of_client(strategy)
    if own:
        limits = dict.fromkeys(over(claim) for claim in own if over(claim))
        said = [f"\\* {name}: {limit}. `listed` covers the other queues." for limit in limits]
        return said + [f"{name}: {scope}." for scope in _scopes(own)]
    if other:
        return [f"{name} is the same function as {of_client(other)}."]
    compared = [claim for claim in claims if family(claim) == CLIENTS and strategy in claim.subjects]
    links = listing(link(claim, claim.id) for claim in compared)
    return [
        f"{name}: no claim is about this function alone. The model computes the recorded results of "
        f"{listing(clients(shippers(strategy)))}. Claims about groups that mix it with another client: {links}.",
    ]


def chapters(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return the chapters in Markdown, each with its heading.

    ``claims``: all claims of the project.
    """
    return glance(claims), same_name(claims), differences(), spaces(claims)
