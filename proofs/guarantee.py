"""A guarantee about the results of a group: in words, as obligations, and as a test of concrete results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from rebalance_proofs.model.group import Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.worlds.groups import Groups, SymbolicGroup
from rebalance_proofs.proofs.obligation import Obligation

Results = Sequence[Sequence[MessageQueue]]


@dataclass(frozen=True)
class Guarantee:
    """One promise about the results of all consumers of a group."""

    name: str
    sentence: str
    source: str
    obligations: tuple[Obligation, ...]
    """Together they give the guarantee for every q and c when all premises hold."""
    violated: Callable[[SymbolicGroup], z3.BoolRef]
    """The guarantee does not hold in this group. May use unknowns of its own besides the group's."""
    violation: Callable[[Group, Results], str | None]
    """What is wrong with these concrete results, in one sentence; None when the guarantee holds."""
    without: tuple[Groups, ...] = ()
    """The premises that it is also examined without; ``violated`` must then have no unknowns of its own."""
    withstands: tuple[str, ...] = ()
    """Names of premises without which it holds all the same."""
    obligations_without: Callable[[Groups], tuple[Obligation, ...]] = lambda world: ()
    """For a premise in ``withstands``: what has to be proved."""
