"""A strategy: the client's code, its SMT encoding, and the guarantees claimed for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant

# The argument checks at the start of each strategy.
# Mirror of Java's ``AbstractAllocateMessageQueueStrategy.check``.


class AllocationError(ValueError):
    """An error that the client throws in ``allocate``; the client then keeps its current queues.

    The text is the Java client's.
    """

    @property
    def instead(self) -> str:
        """Describe, as a verb phrase, what the client does instead of returning queues."""
        return f"throws ({self})"


def check(current_cid: str | None, mq_all: Sequence[MessageQueue] | None, cid_all: Sequence[str] | None) -> bool:
    """Return whether to allocate: False if ``current_cid`` is not in ``cid_all``.

    The result is then empty. Raises ``AllocationError`` for an empty id or an empty list, in the client's order of
    checks.
    """
    if not current_cid:
        raise AllocationError("currentCID is empty")
    if not mq_all:
        raise AllocationError("mqAll is null or mqAll empty")
    if not cid_all:
        raise AllocationError("cidAll is null or cidAll empty")
    return current_cid in cid_all


# Run-time errors inside ``allocate``, after its argument checks.


class Fault(AllocationError):
    """A run-time error at a null or a number that no argument check rejected.

    Examples: NullPointerException, a Go panic. For the Go client, the text is Go's own. Java's text depends on the
    virtual machine, so here it only names the null.
    """


Allocate = Callable[[str, Sequence[MessageQueue], Sequence[str]], list[MessageQueue] | None]
"""``allocate(current_cid, mq_all, cid_all)`` returns the queues of one consumer.

``current_cid`` is its id. The queues are in the client's order. Both lists are in the client's sort order. Raises
``AllocationError`` where the client throws. Only CONFIG returns None, if no list was configured.
"""


Owns = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
Count = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]
Place = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]
Owner = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]


@dataclass(frozen=True)
class Encoding:
    """SMT encoding of a strategy: integer terms over q, c and a consumer's index.

    q = len(mqAll), c = len(cidAll), and the index is the consumer's position in cidAll. All arguments and results
    are terms. Positions and indexes count from 0. The terms have a meaning for q >= 1, c >= 1 and 0 <= index < c,
    where the client's own argument checks have passed.
    """

    owns: Owns
    """``owns(q, c, index, position)``: true if the consumer gets that position of mqAll."""
    count: Count
    """``count(q, c, index)``: the length of the consumer's result."""
    element: Place
    """``element(q, c, index, k)``: the k-th position in the result, 0 <= k < count."""
    rank: Place
    """``rank(q, c, index, position)``: the index of an owned position in the result.

    The inverse of ``element``.
    """
    owner: Owner
    """``owner(q, c, position)``: the index of the consumer that gets the queue at that position.

    A proof of coverage uses this term as the witness that some consumer gets the queue.
    """


@dataclass(frozen=True)
class Strategy:
    """An allocation strategy of a client (``AllocateMessageQueueStrategy``), with its encoding."""

    name: str
    """Short name for claim ids: ``avg``."""
    rocketmq_name: str
    """The result of ``getName()`` in the Java client: ``AVG``."""
    source: str
    """The source that documents the behaviour."""
    allocate: Allocate
    """The function for default constructor arguments. ``configured`` builds it for others."""
    encoding: Any
    """An ``Encoding``, or another type where the result depends on more than q, c and index.

    None for CONFIG: the owners are part of each examined case, and no other claim can be made about CONFIG.
    """
    holds: frozenset[str]
    """Guarantees that are claimed to hold, for every q and c."""
    fails: frozenset[str] = frozenset()
    """Guarantees that are claimed to fail. Each has a counterexample."""
    unclaimed: frozenset[str] = frozenset()
    """Claims that are left out because the guarantee happens to hold.

    Example: ``covers.without-distinct-ids``. Without an assumption, a guarantee is normally claimed to fail.
    """
    mutants: tuple[Mutant, ...] = ()
    configure: Callable[..., Allocate] | None = None
    """The function that builds ``allocate`` for given constructor arguments.

    None if the constructor takes none.
    """

    queues: Callable[[int], tuple[MessageQueue, ...]] = one_broker
    """``queues(count)`` returns ``count`` queues that the strategy assigns, for example groups."""
    over: str = ""
    """The queues that the claims cover, as the beginning of a sentence.

    Empty for every queue of the topic.
    """

    def __hash__(self) -> int:
        """Hash by name, because hashing the terms at each lookup is slow."""
        return hash(self.name)

    def called(self, name: str) -> bool:
        """Return whether this is the strategy's short name or RocketMQ's name, in upper or lower case."""
        return name.casefold() in (self.name.casefold(), self.rocketmq_name.casefold())

    def configured(self, **arguments: object) -> "Strategy":
        """Return the strategy constructed with these arguments.

        Raises ``AllocationError`` where the constructor throws.
        """
        if self.configure is None:
            if arguments:
                raise TypeError(f"{self.name} takes no arguments, but got {', '.join(arguments)}")
            return self
        # Same result as dataclasses.replace, which takes four times as long: groups are configured one by one.
        return Strategy(**(vars(self) | {"allocate": self.configure(**arguments)}))


def queues_for(strategies: Sequence[Strategy], count: int) -> tuple[MessageQueue, ...]:
    """Return ``count`` queues of a topic that all of the strategies assign."""
    particular = [strategy.queues for strategy in strategies if strategy.queues is not one_broker]
    return (particular or [one_broker])[0](count)
