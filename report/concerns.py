"""Whom a claim concerns: which releases of which clients, in which ways to use them, and which strategies."""

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
"""Hexadecimal digits for a release: a bit a mode, the first mode's the lowest."""


@cache
def concerned(claim: Claim) -> str:
    """Release by release ``DIGITS`` hexadecimal digits, which say in which modes the claim is about it.

    A claim whose subjects do not say of which releases they are concerns everybody.
    """
    if not releases_of(claim):
        return f"{(1 << len(MODES)) - 1:0{DIGITS}x}" * len(RELEASES)
    return "".join(f"{_modes(claim, release):0{DIGITS}x}" for release in RELEASES)


def _modes(claim: Claim, release: str) -> int:
    return sum(covers(claim, Asked(release, mode)) << place for place, mode in enumerate(MODES))


def strategies(claim: Claim) -> tuple[str, ...]:
    """By the names that users set; empty where it is about no strategy, and so concerns whoever uses any."""
    return tuple(dict.fromkeys(shown(claim).strategies(claim)))


Chosen = tuple[Strategy, ...]
"""What a strategy's name stands for: the functions that clients ship under it; none for any strategy."""


def chosen_strategy(name: str) -> Chosen:
    """By its short name or by RocketMQ's: ``hash``, ``CONSISTENT_HASH``, ``hash-go`` for Go's alone.

    A name that other functions' names begin with, as ``hash``, stands for all of them. Raises ``UnknownName``.
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
    """It is about that client in that mode, and about one of these strategies, or about clients whatever they use.

    With nothing asked for, every claim is; else none is that is about what no client runs, as Kafka's strategies.
    """
    about = [one for one in claim.subjects if isinstance(one, Strategy)]
    if question == Asked() and not wanted:
        return True
    if not all(shippers(one) or one in TOPIC_BY_TOPIC for one in about):
        return False
    if wanted and about and not any(_stands_for(one, strategy) for one in about for strategy in wanted):
        return False
    return not releases_of(claim) or covers(claim, question)


def _stands_for(subject: Strategy, strategy: Strategy) -> bool:
    """It is that function, or the client's loop over topics around it."""
    around = subject in TOPIC_BY_TOPIC and subject.rocketmq_name.startswith(f"{strategy.rocketmq_name},")
    return same(subject, strategy) or around
