"""Results as the owner of each queue, which some vector files write in the place of positions."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.values import positions

NOBODY = -1


def read_owners(owners: Sequence[int], cid_all: Sequence[str]) -> str:
    """Recorded owners, one a queue: indexes into cidAll, ``NOBODY`` for a queue that nobody got."""
    for owner in owners:
        if not NOBODY <= owner < len(cid_all):
            raise RowError(f"a queue belongs to consumer {owner}, there are {len(cid_all)}")
    return ",".join(map(str, owners))


def owners_text(profile: Profile, strategy: Strategy, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> str:
    """The same of what the model gives to each id; a queue with two owners shows both, ``0+1``.

    Where the client throws, what it throws.
    """
    owners: list[list[int]] = [[] for _ in mq_all]
    try:
        for index, cid in enumerate(cid_all):
            if cid_all.index(cid) != index:
                continue  # a repeated id is its first index
            for position in positions(profile.allocate(strategy, cid, mq_all, cid_all), mq_all):
                owners[position].append(index)
    except ClientError as error:
        return str(error)
    return ",".join("+".join(map(str, found or [NOBODY])) for found in owners)
