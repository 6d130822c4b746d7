"""Subjects that the model does not cover, such as pop consumption, and the words by which users name them.

Each subject has an anchor in docs/explanation/scope.md.
"""

import re
from typing import NamedTuple

from rebalance_proofs.report.symptoms.meaning import WORD

__all__ = ["UNMODELLED", "Unmodelled", "outside", "unmodelled"]


class Unmodelled(NamedTuple):
    """A subject that the model does not cover, such as pop consumption or the proxy."""

    words: str
    """A regular expression for the words by which users name the subject."""
    what: str
    """The parts of RocketMQ that are not modelled, in words."""
    why: str
    """Why these parts are not modelled."""
    anchor: str
    """Link anchor of the subject's line in docs/explanation/scope.md."""


UNMODELLED = (
    Unmodelled(
        r"pop|popmessage|invisible ?time|changeinvisibletime",
        "everything after a pop request, such as `popMessage` and acknowledgements",
        "the broker distributes messages, not queues, and several consumers can have the same queue",
        "pop",
    ),
    Unmodelled(
        r"grpc|proxy|proxies|simpleconsumer|simple consumer|rocketmq-clients",
        "the gRPC SDKs (rocketmq-clients) and the proxy: `PushConsumer` and `SimpleConsumer`",
        "the proxy gets their messages by pop requests",
        "grpc",
    ),
    Unmodelled(
        r"sql92|sql|sql filters?",
        "SQL92 subscriptions (`ConsumerFilterManager`), and subscriptions of lite pull, pull and pop consumers and of "
        "clients other than Java",
        "the claims `subscriptions.*` assume that there are none",
        "sql92",
    ),
    Unmodelled(
        r"manual commits?|setautocommit",
        "offsets of ordered listeners that commit manually (`setAutoCommit(false)`), of broadcasting consumers, and of "
        "pull and lite pull consumers",
        "no claim is written yet",
        "manual-commits",
    ),
)


def unmodelled(text: str) -> Unmodelled | None:
    """Return the first subject outside the model that the text names; None if it names none."""
    plain = f" {' '.join(WORD.findall(text.casefold()))} "
    return next((one for one in UNMODELLED if re.search(rf" (?:{one.words}) ", plain)), None)


def outside(*words: str | None) -> str:
    """Return a sentence about the first of ``words`` that names a subject outside the model; empty if none does."""
    found = ((text, unmodelled(text)) for text in words if text)
    return next((f"{text!r} is not modelled: {one.what} ({one.why})" for text, one in found if one), "")
