"""The interface of a worker, a child process that calls a user's strategy, whatever its language."""

from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from rebalance_proofs.model.own.call import Call, Outcome
from rebalance_proofs.model.own.held import Held

LIMIT = 2.0
"""Default limit of one call, in seconds. Python code that waits for a busy CPU may take up to 5 times as long, until it
has had so many seconds of CPU time."""

MEMORY_MB = 1024
"""Default limit of the child's memory, in MB."""


class Limits(NamedTuple):
    """The limits of a strategy."""

    seconds: float = LIMIT
    """For one call, in seconds."""
    memory_mb: int = MEMORY_MB
    """For its process, in MB."""


class Worker(Protocol):
    """A strategy in a child process of its own. The child starts at the first call, or on entering.

    Constructors and ``__enter__`` raise ``model.own.errors.StrategyError`` where what the user typed names no strategy
    that can be called.
    """

    holds: tuple[Held, ...]
    """What can be held still in its child."""

    @property
    def name(self) -> str:
        """How the strategy is shown: ``mine.py:allocate``, ``com.acme.MyStrategy``."""

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        """One outcome for each call, in order.

        At least one outcome, but maybe fewer than calls: it may stop behind a refusal of the kinds ``call.ENDING``, so
        that a strategy that hangs in every call costs the limit of time only once.

        Never raises for what the strategy does. The limit of time is for each call, however many come at once. After
        ``hangs``, ``exits`` and ``memory`` the child is replaced, and the next call goes to a fresh one.
        """

    def afresh(self) -> "Worker | None":
        """A worker whose batches are each answered by a process in which the strategy was loaded, and never called.

        It takes this one's child, which must not have been called, and ends with it. None where that cannot be had for
        less than a child for each.
        """

    def __enter__(self) -> Self:
        """The worker itself, with its child started."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the child."""
