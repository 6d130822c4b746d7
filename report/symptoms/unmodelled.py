"""Topics outside the model, by the words in which people ask for them.

Each has an anchor in docs/explanation/scope.md.
"""

import re
from typing import NamedTuple

from rebalance_proofs.report.symptoms.meaning import WORD

__all__ = ["UNMODELLED", "Unmodelled", "outside", "unmodelled"]


class Unmodelled(NamedTuple):
    """One thing."""

    words: str
    """A pattern of the words."""
    what: str
    """What is not modelled."""
    why: str
    """The reason."""
    anchor: str
    """Anchor of its line in docs/explanation/scope.md."""


UNMODELLED = (
    Unmodelled(
        r"pop|popmessage|invisible ?time|changeinvisibletime",
        "everything after a pop request: `popMessage`, acknowledgements",
        "the broker hands out messages, not queues; several consumers can have the same queue",
        "pop",
    ),
    Unmodelled(
        r"grpc|proxy|proxies|simpleconsumer|simple consumer|rocketmq-clients",
        "the gRPC SDKs (rocketmq-clients) and the proxy: `PushConsumer`, `SimpleConsumer`",
        "their messages come by pop requests, which the proxy makes",
        "grpc",
    ),
    Unmodelled(
        r"sql92|sql|sql filters?",
        "subscriptions by SQL92 expressions (`ConsumerFilterManager`), of lite pull and pull consumers, of pop, of "
        "other clients than Java's",
        "premises of the claims `subscriptions.*`",
        "sql92",
    ),
    Unmodelled(
        r"manual commits?|setautocommit",
        "offsets of ordered listeners that commit manually (`setAutoCommit(false)`), of broadcasting, of pull and lite "
        "pull consumers",
        "not written yet",
        "manual-commits",
    ),
)


def unmodelled(text: str) -> Unmodelled | None:
    """The first of these that the words name."""
    plain = f" {' '.join(WORD.findall(text.casefold()))} "
    return next((one for one in UNMODELLED if re.search(rf" (?:{one.words}) ", plain)), None)


def outside(*words: str | None) -> str:
    """A sentence about the first of these words that names such a thing; empty if none does."""
    found = ((text, unmodelled(text)) for text in words if text)
    return next((f"{text!r} is not modelled: {one.what}: {one.why}" for text, one in found if one), "")
