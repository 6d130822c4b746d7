"""The condition of time under which no two listeners run on one queue."""

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits

__all__ = ["Part", "condition"]


@dataclass(frozen=True)
class Part:
    """So much time, all in all, has to fit into a limit."""

    sentence: str
    summands: tuple[str, ...]
    """Fields of ``Limits``."""
    within: str
    """Another one."""

    def total(self, limits: Limits) -> Any:
        """ms, or a term."""
        return reduce(add, (getattr(limits, name) for name in self.summands))

    def holds(self, limits: Limits) -> Any:
        """A truth value; of terms, a formula."""
        return self.total(limits) <= getattr(limits, self.within)


KEPT = Part(
    "the broker keeps a lock for as long as the listener can rely on it", ("delay", "client", "listener"), "broker"
)
NOT_FORCED = Part("a lock is not given back by force while the listener can run", ("client", "listener"), "unlock")


def condition(client: OrderedClient) -> tuple[Part, ...]:
    """All of it; ``exact`` says that no part can be weaker."""
    return (KEPT, NOT_FORCED) if client.forces else (KEPT,)
