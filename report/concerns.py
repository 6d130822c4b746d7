"""The strategies, client releases and modes that a claim is about.

The page filters claims by them.
"""

from functools import cache

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.model.assignment import pulled
from rebalance_proofs.model.topics.encoding import TOPIC_BY_TOPIC
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.names import same, shippers
from rebalance_proofs.report.subjects import covers, releases_of
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked

DIGITS = -(-len(MODES) // 4)
"""Number of hexadecimal digits that encode the modes of use of one release: one bit for each mode."""


@cache
def concerned(claim: Claim) -> str:
    """Return the modes of use that the claim is about: ``DIGITS`` hexadecimal digits for each release.

    The first mode has the lowest bit. All bits are set if the claim's subjects name no releases.
    """
    if not releases_of(claim):
        return f"{(1 << len(MODES)) - 1:0{DIGITS}x}" * len(RELEASES)
    return "".join(f"{_modes(claim, release):0{DIGITS}x}" for release in RELEASES)


def _modes(claim: Claim, release: str) -> int:
    return sum(covers(claim, Asked(release, mode)) << place for place, mode in enumerate(MODES))


def strategies(claim: Claim) -> tuple[str, ...]:
    """Return the claim's strategies by the names that users configure.

    Empty for claims about no strategy.
    """
    return tuple(dict.fromkeys(shown(claim).strategies(claim)))


def shipped(claim: Claim) -> bool:
    """Return whether RocketMQ's clients or brokers ship every strategy that the claim is about."""
    return all(shippers(one) or one in TOPIC_BY_TOPIC or one in BY_THE_BROKER for one in _about(claim))


def stands_for(claim: Claim) -> tuple[str, ...] | None:
    """Return the short names of the claim's strategies; None if it is about no strategy.

    A client's loop over several topics counts as the strategy that it calls, as pop mode does.
    """
    about = _about(claim)
    return tuple(one.name for one in ALL if any(_stands_for(mine, one) for mine in about)) if about else None


def _about(claim: Claim) -> list[Strategy]:
    return [one for one in claim.subjects if isinstance(one, Strategy)]


def _stands_for(subject: Strategy, strategy: Strategy) -> bool:
    """Return whether the subject is that strategy, or the client's loop over topics or pop mode that calls it."""
    if subject in BY_THE_BROKER:
        return same(pulled(subject), strategy)
    around = subject in TOPIC_BY_TOPIC and subject.rocketmq_name.startswith(f"{strategy.rocketmq_name},")
    return same(subject, strategy) or around
