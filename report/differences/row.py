"""One difference between two releases, and the claims that depend on it."""

from dataclasses import dataclass

CLIENT, BROKER = "client", "broker"


@dataclass(frozen=True)
class Difference:
    """A difference between a release and the release before it, found by comparing their sources."""

    part: str
    """``CLIENT`` (with remoting and common), or ``BROKER``."""
    release: str
    """The first release with the new behaviour."""
    place: str
    """Class and method: ``RebalanceImpl.rebalanceByTopic``."""
    change: str
    """The new behaviour, in at most 12 words."""
    why: str
    """Effect on claims, in whole sentences. Without ``claims``: the reason why no claim depends on it."""
    claims: tuple[str, ...] = ()
    """Ids of the claims that depend on it, each to its own verdict or assumption."""
    issue: int = 0
    """Number of the issue or pull request in apache/rocketmq; 0 if unknown."""
