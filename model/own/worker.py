"""The interface of a worker: a child process that calls a user's strategy, in any language."""

from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from rebalance_proofs.model.own.call import Call, Held, Outcome

LIMIT = 2.0
"""Default time limit of one call, in seconds.

Python code that waits for a busy CPU may take up to 5 times as long in elapsed time, until it has had this much CPU
time.
"""

MEMORY_MB = 1024
"""Default limit of the child's memory, in MB."""


class Limits(NamedTuple):
    """Limits of a user's strategy: time and memory."""

    seconds: float = LIMIT
    """Time limit of one call, in seconds."""
    memory_mb: int = MEMORY_MB
    """Memory limit of the process, in MB."""


class Worker(Protocol):
    """A user's strategy in its own child process, which starts at the first call or on entering.

    Constructors and ``__enter__`` raise ``model.own.errors.StrategyError`` if the user's text does not name a
    callable strategy.
    """

    holds: tuple[Held, ...]
    """Sources of nondeterminism, such as clocks, that the child can fix."""

    @property
    def name(self) -> str:
        """The display name of the strategy: ``mine.py:allocate``, ``com.acme.MyStrategy``."""

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        """Make calls of the strategy in the child, and return one outcome for each, in order.

        There is at least one outcome, but maybe fewer than calls: the worker may stop after a failure of the
        kinds ``call.ENDING``, so that a strategy that hangs in every call uses the time limit only once.

        Never raises for the strategy's behaviour. The time limit is for each call, however many calls a batch
        has. After ``hangs``, ``exits`` and ``memory`` the child is replaced, and the next call goes to a new
        one.
        """

    def afresh(self) -> "Worker | None":
        """Return a worker that answers each batch in a process that has made no earlier calls.

        The strategy is loaded in that process. It takes over this worker's child, which must not have been
        called, and ends with it. None if separate children would cost no more.
        """

    def __enter__(self) -> Self:
        """Return the worker itself, with its child started."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the child."""
