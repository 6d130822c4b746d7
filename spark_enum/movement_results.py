"""What joins cost: the worst and the best place of a joiner, and how the counts compare with what is proved."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """One number of queues and consumers: how many queues change hands when one more consumer joins."""

    queues: int
    consumers: int
    """Before the join."""
    most: int
    most_at: int
    """The first place of the joiner at which it is so many."""
    least: int
    least_at: int

    @property
    def needed(self) -> int:
        """How many would have to, for sizes that differ by at most one: the smaller size after the join."""
        return self.queues // (self.consumers + 1)


@dataclass(frozen=True)
class Movement:
    """One strategy: every join of up to so many queues and consumers."""

    strategy: str
    max_queues: int
    max_consumers: int
    """Before the join."""
    joins: int
    """Joins that were counted."""
    expected_joins: int
    """The same number by its closed form."""
    queues: int
    """Queues that were looked at, over all joins."""
    digest: str
    """Hexadecimal; of all joins and the queues that change hands, whatever their order and partition."""
    differing: int
    """Joins in which another number of queues changes hands than the closed form says."""
    beyond: int
    """Joins in which more queues change hands than the bound says."""
    unattained: int
    """Sizes at which fewer queues change hands than the bound says, at whatever place."""
    costs: tuple[Cost, ...]
    """Of the sizes that are shown, in their order."""
    seconds: float

    @property
    def complete(self) -> bool:
        """Every join was met once."""
        return self.joins == self.expected_joins

    @property
    def as_proved(self) -> bool:
        """All joins are as the claims say, and the bound is the best one at every size."""
        return self.complete and not (self.differing or self.beyond or self.unattained)
