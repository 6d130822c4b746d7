"""Relevance of a claim: the client releases, the modes of use and the strategies that it is about."""

from functools import cache

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.topics.per_topic import TOPIC_BY_TOPIC
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import same, shippers, variants
from rebalance_proofs.report.symptoms.asked import MODES, RELEASES, Asked, UnknownName, covers, nearest, releases_of

__all__ = ["DIGITS", "Chosen", "chosen_strategy", "concerned", "concerns", "strategies"]

DIGITS = -(-len(MODES) // 4)
"""Hexadecimal digits for one release: one bit for each mode, the first mode in the lowest bit."""


@cache
def concerned(claim: Claim) -> str:
    """``DIGITS`` hexadecimal digits for each release: the modes in which the claim is about that release.

    All bits are set where the claim's subjects name no releases.
    """
    if not releases_of(claim):
        return f"{(1 << len(MODES)) - 1:0{DIGITS}x}" * len(RELEASES)
    return "".join(f"{_modes(claim, release):0{DIGITS}x}" for release in RELEASES)


def _modes(claim: Claim, release: str) -> int:
    return sum(covers(claim, Asked(release, mode)) << place for place, mode in enumerate(MODES))


def strategies(claim: Claim) -> tuple[str, ...]:
    """The claim's strategies, by the names that users configure; empty for claims about no strategy."""
    return tuple(dict.fromkeys(shown(claim).strategies(claim)))


Chosen = tuple[Strategy, ...]
"""The functions that clients ship under a strategy's name; empty for any strategy."""


def chosen_strategy(name: str) -> Chosen:
    """Strategies for a short name or RocketMQ's: ``hash``, ``CONSISTENT_HASH``, ``hash-go`` for Go's alone.

    A name that is the beginning of others, as ``hash``, stands for all of them. Raises ``UnknownName``.
    """
    wanted = name.strip().casefold()
    named = [one for one in ALL if wanted in (one.name.casefold(), one.rocketmq_name.casefold())]
    if not named:
        known = [one.rocketmq_name if name.isupper() else one.name for one in ALL]
        near = nearest(name.strip(), known)
        raise UnknownName(f"unknown strategy {name!r}; {near}there are {', '.join(one.name for one in ALL)}")
    first = named[0]
    alone = wanted == first.name.casefold() and any(first.name.startswith(f"{one.name}-") for one in variants(first))
    return (first,) if alone else variants(first)


def concerns(claim: Claim, question: Asked, wanted: Chosen = ()) -> bool:
    """Whether the claim is about that client and mode, and about one of these strategies or about no strategy.

    An empty question selects every claim; any other one excludes strategies that no RocketMQ client runs, as Kafka's.
    """
    about = [one for one in claim.subjects if isinstance(one, Strategy)]
    wanted = wanted or question.wanted
    if question == Asked() and not wanted:
        return True
    if not all(shippers(one) or one in TOPIC_BY_TOPIC for one in about):
        return False
    if wanted and about and not any(_stands_for(one, strategy) for one in about for strategy in wanted):
        return False
    return not releases_of(claim) or covers(claim, question)


def _stands_for(subject: Strategy, strategy: Strategy) -> bool:
    """Whether the subject is that strategy, or the client's loop over topics around it."""
    around = subject in TOPIC_BY_TOPIC and subject.rocketmq_name.startswith(f"{strategy.rocketmq_name},")
    return same(subject, strategy) or around
