"""Select the claims about a client, a mode of use and a strategy."""

from functools import cache

from rebalance_proofs.language import gettext
from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES
from rebalance_proofs.report.index.entries import Entry
from rebalance_proofs.report.names import variants
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, nearest, releases_of_profile

Chosen = tuple[Strategy, ...]
"""The implementations that clients ship under one strategy name; empty for any strategy."""


def chosen_strategy(name: str) -> Chosen:
    """Return the implementations of a strategy, by its short name (``hash``) or RocketMQ's (``CONSISTENT_HASH``).

    ``hash`` means the implementations of all clients, ``hash-go`` only that of Go. Raises ``UnknownName``.
    """
    wanted = name.strip().casefold()
    named = [one for one in ALL if one.called(wanted)]
    if not named:
        known = [one.rocketmq_name if name.isupper() else one.name for one in ALL]
        near = nearest(name.strip(), known)
        raise UnknownName(
            gettext("unknown strategy {name}; {hint}the strategies are {strategies}").format(
                name=repr(name), hint=near, strategies=gettext(", ").join(one.name for one in ALL)
            )
        )
    first = named[0]
    alone = wanted == first.name.casefold() and any(first.name.startswith(f"{one.name}-") for one in variants(first))
    return (first,) if alone else variants(first)


def concerns(claim: Entry, question: Asked, wanted: Chosen = ()) -> bool:
    """Return whether the claim covers this client and mode, and one of these strategies or no strategy.

    An empty question selects every claim. Other questions exclude strategies that no RocketMQ client ships, such as
    Kafka's.
    """
    wanted = wanted or question.wanted
    if question == Asked() and not wanted:
        return True
    if not claim.shipped:
        return False
    if wanted and claim.stands_for is not None and not {one.name for one in wanted} & {*claim.stands_for}:
        return False
    if not claim.released:
        return True
    releases = (question.release,) if question.release or not wanted else _shipping(wanted)
    return any(claim.covers(release, question.mode) for release in releases)


@cache
def _shipping(wanted: Chosen) -> tuple[str, ...]:
    """Return the client releases that ship one of the strategies."""
    names = {one.name for one in wanted}
    found = (one.name for one in PROFILES if names & {own.name for own in one.strategies})
    return tuple(release for name in found for release in releases_of_profile(name))
