"""Allocations as text in files: each consumer's positions in mqAll, or each queue's owner."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import RowError, expect, number, quoted

Queues = Sequence[MessageQueue]
MOST_QUEUES = 10
"""Largest number of queues for which positions in mqAll are single digits."""
NOBODY = -1


def shipped(profile: Profile, rocketmq_name: str, **arguments: Any) -> Strategy:
    """Return the client's strategy with RocketMQ's name, constructed with these arguments.

    The client must have this strategy.
    """
    strategy = profile.strategy(rocketmq_name)
    if strategy is None:
        raise LookupError(f"{profile.name} ships no {rocketmq_name}")
    return profile.configured(strategy, **arguments) if arguments else strategy


def check_lists(text: str, q: int, c: int, what: str) -> None:
    """Check that a text has ``c`` consumers' positions among ``q`` queues, as in ``0,1|2|``.

    Raises ``RowError`` otherwise.
    """
    shares = [[number(item, "position") for item in share.split(",")] if share else [] for share in text.split("|")]
    expect(len(shares) == c, f"{what} has {len(shares)} consumers, c is {c}")
    for position in (position for share in shares for position in share):
        expect(0 <= position < q, f"{what} has position {position}, which is outside mqAll of {q} queues")


def check_digits(text: str, q: int, c: int, what: str) -> None:
    """Check that a text has ``c`` consumers' positions as single digits, as in ``02|1``.

    Raises ``RowError`` otherwise.
    """
    consumers = text.count("|") + 1
    expect(consumers == c, f"{what} has {consumers} consumers, c is {c}")
    for digit in text.replace("|", ""):
        if not (digit.isascii() and digit.isdigit()):
            raise RowError(f"{what} has position {quoted(digit)}, not a digit")
        expect(int(digit) < q, f"{what} has position {digit}, which is outside mqAll of {q} queues")


def owners_text(owners: Sequence[int], cid_all: Sequence[str]) -> str:
    """Return recorded owners as text: for each queue an index into cidAll, or ``NOBODY``.

    Raises ``RowError``.
    """
    for owner in owners:
        expect(NOBODY <= owner < len(cid_all), f"a queue belongs to consumer {owner}, there are {len(cid_all)}")
    return ",".join(map(str, owners))


def positions(
    profile: Profile, strategy: Strategy, cid: str, mq_all: Queues, cid_all: Sequence[str]
) -> list[int | None]:
    """Return the positions in mqAll of the queues that the model gives to a client id.

    A null element becomes None. Queues are compared by identity, because mqAll can contain equal ones. Raises
    ``ClientError`` if the client throws.
    """
    places = {id(queue): place for place, queue in enumerate(mq_all)}
    result = profile.allocate(strategy, cid, mq_all, cid_all)
    return [None if queue is None else places[id(queue)] for queue in result or ()]


def computed_shares(
    profile: Profile, strategy: Strategy, mq_all: Queues, cid_all: Sequence[str], between: str = ""
) -> str:
    """Return as text the positions in mqAll that the model gives to each client id.

    Return the client's error as text if it throws.
    """
    try:
        shares = [positions(profile, strategy, cid, mq_all, cid_all) for cid in cid_all]
    except ClientError as error:
        return str(error)
    return "|".join(between.join(map(str, share)) for share in shares)


def computed_owners(profile: Profile, strategy: Strategy, mq_all: Queues, cid_all: Sequence[str]) -> str:
    """Return as text the owner that the model gives to each queue.

    A queue with two owners shows both, as ``0+1``. A repeated id counts with its first index. If the client throws, the
    text is its error.
    """
    owners: list[list[int]] = [[] for _ in mq_all]
    try:
        for index, cid in enumerate(cid_all):
            if cid_all.index(cid) == index:
                for position in positions(profile, strategy, cid, mq_all, cid_all):
                    if position is not None:
                        owners[position].append(index)
    except ClientError as error:
        return str(error)
    return ",".join("+".join(map(str, found or [NOBODY])) for found in owners)
