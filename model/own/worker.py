"""Who calls a user's strategy: a child process, behind an interface that does not say in which language it runs."""

from collections.abc import Sequence
from types import TracebackType
from typing import NamedTuple, Protocol, Self

from rebalance_proofs.model.own.call import Call, Outcome

LIMIT = 2.0
"""Seconds that one call may take, unless told otherwise. Python code that waits for a busy processor has up to 5 times
as many, until it has had so many of the processor."""

MEMORY_MB = 1024
"""How much the child may take, in MB, unless told otherwise."""


class Limits(NamedTuple):
    """What a strategy may take."""

    seconds: float = LIMIT
    """For one call."""
    memory_mb: int = MEMORY_MB
    """For its process."""


class Worker(Protocol):
    """A strategy in a child process of its own. The child starts at the first call, or on entering.

    Constructors and ``__enter__`` raise ``model.own.errors.StrategyError`` where what the user typed names no strategy
    that can be called.
    """

    @property
    def name(self) -> str:
        """How the strategy is shown: ``mine.py:allocate``, ``com.acme.MyStrategy``."""

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        """One outcome for each call, in order.

        Of at least one call, and maybe not of all: it may stop behind one of the kinds ``call.ENDING``, so that a
        strategy that hangs in every call is not waited for each time.

        Never raises for what the strategy does. The limit of time is for each call, however many come at once. After
        ``hangs``, ``exits`` and ``memory`` the child is replaced, and the next call goes to a fresh one.
        """

    def __enter__(self) -> Self:
        """Itself."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the child."""
