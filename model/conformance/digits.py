"""Positions as single digits, without anything between them: ``02|1`` for two consumers."""

from model.conformance.tally import RowError
from model.conformance.text import quoted

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
