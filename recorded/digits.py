"""Positions as single digits, without anything between them: ``02|1`` for two consumers."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.tally import RowError
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.values import positions

MOST_QUEUES = 10
"""Positions of more queues have no digits."""


def check_shares(text: str, q: int, c: int, what: str) -> None:
    """Raises ``RowError`` when ``text`` is not the shares of ``c`` consumers among ``q`` queues."""
    consumers = text.count("|") + 1
    if consumers != c:
        raise RowError(f"{what} has {consumers} consumers, c is {c}")
    for position in text.replace("|", ""):
        if not (position.isascii() and position.isdigit()):
            raise RowError(f"{what} has position {quoted(position)}, not a digit")
        if int(position) >= q:
            raise RowError(f"{what} has position {position}, which is outside mqAll of {q} queues")


def shares_text(profile: Profile, strategy: Strategy, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> str:
    """The shares that the model gives to each id; what the client throws where it does."""
    try:
        shares = [positions(profile.allocate(strategy, cid, mq_all, cid_all), mq_all) for cid in cid_all]
    except ClientError as error:
        return str(error)
    return "|".join("".join(map(str, share)) for share in shares)
