"""The kind ``registry``: claims about a broker's registry of consumers, for the engine."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rebalance_proofs.model.registry.clients import (
    ALL,
    APART,
    APART_V2,
    GOES_ON,
    GREETING,
    SILENT,
    SLIPS,
    STOPS,
    RegistryClient,
)
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.kind import machine_kind, stated
from rebalance_proofs.proofs.registry import guarantees as given
from rebalance_proofs.proofs.registry import membership as worlds
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION
from rebalance_proofs.proofs.registry.guarantees import RECONNECT, RESTART, SHARED, TWO_BROKERS
from rebalance_proofs.proofs.registry.membership import Membership

# All claims about a broker's registry and about routes.

FOR_ALL = "for any number of members, brokers and connections, and all limits of time"
EXISTS = "the shortest run, in ticks, is shown"


@dataclass(frozen=True)
class Row:
    """One claim in short form: whether a guarantee holds under some assumptions."""

    guarantee: Guarantee
    world: Membership
    holds: bool
    source: str = ""
    """Source of the claim; empty to use the guarantee's source."""
    notices: tuple[str, ...] = ()


OF_ALL = (
    Row(given.LISTED, worlds.STEADY, True),
    Row(given.LISTED, worlds.RESTART, False, RESTART),
    Row(given.LISTED, worlds.CONNECTION, False),
    Row(given.LISTED, worlds.LATE, False),
    Row(given.AGAIN, worlds.REACHED, True),
    Row(given.AGAIN, worlds.UNREACHED, False, TWO_BROKERS),
    Row(given.AGAIN, worlds.RACED, False),
    Row(given.GONE, worlds.LEFT, True),
    Row(given.GONE, worlds.OTHER_GROUP, False, SHARED),
    Row(given.AS_LONG, worlds.LEFT, True),
    Row(given.AT_ONCE, worlds.HEARD, True),
    Row(given.AT_ONCE, worlds.HOST, False),
    Row(given.GOOD_BYE, worlds.GOODBYE, True),
    Row(given.GOOD_BYE, worlds.TRAILED, False),
    Row(given.GOOD_BYE, worlds.STRAGGLED, False),
    Row(given.ONCE, worlds.CLOSED, True),
    Row(given.ONCE, worlds.TWO_CHANNELS, False),
    Row(given.ONCE, worlds.SLOW, False, RECONNECT),
    Row(given.ONCE_AGAIN, worlds.SCANNED, True),
    Row(given.AGREE, worlds.AGREEING, True, notices=("scans-nothing",)),
    Row(given.AGREE, worlds.ONE_SIDED, False, TWO_BROKERS),
    Row(given.TOLD, worlds.NOTIFIED, True),
    Row(given.TOLD, worlds.MUTE, False),
    Row(given.TOLD, worlds.SWITCHED_OFF, False),
    Row(given.TOLD_LATE, worlds.COLLECTED, True),
    Row(given.TOLD_LATE, worlds.BETWEEN, False),
    Row(given.ROUTED, worlds.POLLED, True),
    Row(given.ROUTED, worlds.UNPOLLED, False),
    Row(given.ROUTE_AS_LONG, worlds.POLLED, True),
)
"""Claims that are the same for all releases, in short form."""
OF_EACH = (
    (SILENT, Row(given.ANEW, worlds.GREETED, False)),
    (GREETING, Row(given.ANEW, worlds.GREETED, True)),
    (GOES_ON, Row(given.NOT_STARTED, worlds.THREW, False)),
    (STOPS, Row(given.NOT_STARTED, worlds.THREW, True)),
    (APART, Row(given.GONE, worlds.SCANNED, True, SHARED)),
    (APART, Row(given.NOT_STARTED, worlds.THREW_ANYHOW, True)),
    (APART, Row(given.AGREE, worlds.AGREEING_ANYHOW, True, notices=("scans-nothing",))),
    (APART_V2, Row(given.GONE, worlds.OTHER_GROUP_V2, False, SHARED)),
)
"""Claims that differ between releases, in short form."""


def claims() -> tuple[Claim, ...]:
    """Return all claims about the registry and routes.

    Claims about all releases come first, then those about some.
    """
    return tuple(_all())


def _all() -> Iterator[Claim]:
    for row in OF_ALL:
        yield _claim(ALL, row)
    for client, row in OF_EACH:
        yield _claim(client, row)


def _claim(client: RegistryClient, row: Row) -> Claim:
    world, scope = row.world, FOR_ALL if row.holds else EXISTS
    claim = stated(client, row.guarantee, world, scope, holds=row.holds)
    return replace(claim, source=row.source or claim.source, notices=row.notices)


REGISTRY = machine_kind(CONFIGURATION, claims, SLIPS)
