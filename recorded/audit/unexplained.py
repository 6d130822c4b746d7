"""Findings about log lines that the client model cannot produce."""

from collections.abc import Iterator

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.phrase import phrase


def unexplained(group: Group) -> Iterator[Finding]:
    """Yield a finding for each line that no behaviour of the client model explains.

    There are none if the user did not request the check against the model.
    """
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
                phrase("{line}. Possible explanation: {fault}", line=one.words, fault=one.fault),
                (),
                (one.where,),
            )
