"""Groups that change twice: before, in between, and after.

The reference of each stage, the group that it is compared with, is the stage before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import Member, SymbolicGroup


@dataclass(frozen=True, kw_only=True)
class StagedGroup(SymbolicGroup):
    """A symbolic group with three stages; ``reference`` is the second stage."""

    earlier: tuple[Member, ...]
    """The members of the first stage, index by index.

    A consumer that is absent at a stage is not listed in it.
    """


def stages(queues: Sequence[MessageQueue], first: Sequence[Consumer], *later: Sequence[Consumer]) -> Group:
    """Return the last of several successive groups of consumers.

    Each group's reference is the group before it.
    """
    found = Group(tuple(queues), tuple(first))
    for consumers in later:
        found = Group(tuple(queues), tuple(consumers), reference=found)
    return found


def with_ids(consumer: Consumer, ids: Sequence[str]) -> tuple[Consumer, ...]:
    """Return one copy of the consumer for each id; all copies have ``ids`` as cidAll."""
    return tuple(replace(consumer, client_id=client_id, cid_all=tuple(ids)) for client_id in ids)


def symbolic_member(
    encoding: Encoding,
    q: smt.IntTerm,
    consumers: int,
    index: smt.IntTerm,
    position: smt.IntTerm,
    there: smt.BoolTerm | None = None,
) -> Member:
    """Return one member of a group with ``consumers`` consumers, as SMT terms.

    If ``there`` is given, the member is listed only where it holds.
    """
    listed = smt.BoolVal(True) if there is None else there
    return Member(encoding, q, smt.IntVal(max(consumers, 1)), index, position, listed=listed)
