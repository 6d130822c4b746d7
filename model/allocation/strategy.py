"""A strategy: the client's code, its SMT encoding, and the guarantees that are claimed of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant

Allocate = Callable[[str, Sequence[MessageQueue], Sequence[str]], list[MessageQueue] | None]
"""``allocate(current_cid, mq_all, cid_all)``: the queues that ``current_cid`` takes, in the client's order.

Both lists come in the order in which the client sorted them. Raises ``AllocationError`` as the client throws. Only
CONFIG returns None, when it was given no list.
"""


Owns = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
Count = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]
Place = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]
Owner = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.IntTerm]


@dataclass(frozen=True)
class Encoding:
    """A strategy as integer terms over q = len(mqAll), c = len(cidAll) and a consumer's index in cidAll.

    All arguments and results are terms; positions and indexes count from 0. Meaningful for q >= 1, c >= 1 and
    0 <= index < c, where the client's own argument checks have passed.
    """

    owns: Owns
    """``owns(q, c, index, position)``: the consumer's result contains that position of mqAll."""
    count: Count
    """``count(q, c, index)``: how long the consumer's result is."""
    element: Place
    """``element(q, c, index, k)``: the position of the k-th element of the result, 0 <= k < count."""
    rank: Place
    """``rank(q, c, index, position)``: where an owned position stands in the result; the inverse of ``element``."""
    owner: Owner
    """``owner(q, c, position)``: the index that gets the position, as an explicit term (the witness of coverage)."""


@dataclass(frozen=True)
class Strategy:
    """One ``AllocateMessageQueueStrategy``."""

    name: str
    """Short name, used in claim ids: ``avg``."""
    rocketmq_name: str
    """What ``getName()`` returns in the Java client: ``AVG``."""
    source: str
    """Where the behaviour is documented."""
    allocate: Allocate
    """The function with default constructor arguments; ``configured`` gives others."""
    encoding: Any
    """An ``Encoding``, or a type of its own where the result depends on more than q, c and index.

    None for CONFIG: who owns what is then part of each case that is examined, and no other claim can be made about it.
    """
    holds: frozenset[str]
    """Guarantees that it is claimed to give, for every q and c."""
    fails: frozenset[str] = frozenset()
    """Guarantees that it is claimed not to give: each has a counterexample."""
    unclaimed: frozenset[str] = frozenset()
    """Claims that are left out although the guarantee holds under all premises: ``covers.without-distinct-ids``.

    Without a premise a guarantee is claimed to fail; these are the cases in which it happens to survive.
    """
    mutants: tuple[Mutant, ...] = ()
    configure: Callable[..., Allocate] | None = None
    """``allocate`` for given constructor arguments; None when the constructor takes none."""

    queues: Callable[[int], tuple[MessageQueue, ...]] = one_broker
    """``queues(count)``: so many queues of a topic that the strategy hands out, for groups of consumers that run it."""
    over: str = ""
    """The queues that its claims cover, as the beginning of a sentence; empty where it is every queue of the topic."""

    def __hash__(self) -> int:
        """By name: strategies are looked up in every group, and their terms would be hashed each time."""
        return hash(self.name)

    def configured(self, **arguments: object) -> "Strategy":
        """The strategy, constructed with these arguments. Raises ``AllocationError`` as the constructor throws."""
        if self.configure is None:
            if arguments:
                raise TypeError(f"{self.name} takes no arguments, not {', '.join(arguments)}")
            return self
        # as dataclasses.replace, which takes four times as long: whole groups are configured one by one
        return Strategy(**(vars(self) | {"allocate": self.configure(**arguments)}))


def queues_for(strategies: Sequence[Strategy], count: int) -> tuple[MessageQueue, ...]:
    """``count`` queues of a topic, each of which all of the strategies hand out."""
    particular = [strategy.queues for strategy in strategies if strategy.queues is not one_broker]
    return (particular or [one_broker])[0](count)
