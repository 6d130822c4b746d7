"""Lines that no behaviour of the model's clients gives."""

from collections.abc import Iterator

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group

__all__ = ["unexplained"]


def unexplained(group: Group) -> Iterator[Finding]:
    """Where the model was asked: each line after which no table of its client is left."""
    for share in group.shares:
        members = tuple(group.told(one) for one in share.members)
        for one in share.held.unexplained if share.held else ():
            yield Finding(
                What.MODEL,
                Level.SEEN,
                group.name,
                one.topic,
                members,
                (Interval(one.queue, one.at, one.at),),
                f"{one.words}. It would be explained if {one.fault}",
                (),
                (one.where,),
            )
