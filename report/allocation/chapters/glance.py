"""Chapter with a table of all strategy implementations that clients ship, and the claims about each."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.groups import Groups
from rebalance_proofs.proofs.claim import EXISTS, UNBOUNDED, Claim
from rebalance_proofs.report.allocation.sentences import CLIENTS, MOVEMENT, PROMISES, column, family, over
from rebalance_proofs.report.markdown_tables import NOTHING, link, mark, table
from rebalance_proofs.report.names import client, clients, of_client, shippers, subject
from rebalance_proofs.report.text.english import listing
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.spark_enum.allocation.group_check import checks
from rebalance_proofs.spark_enum.bounds import Bounds

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


HEAD = """## At a glance

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
    return "\n".join([HEAD, table(("strategy", "clients", *columns), rows), "", *notes])


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
