"""Why a pull was refused: the exception's text or response code, as ``rebalance why`` explains them."""

import re
from functools import cache

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.audit.phrase import Phrase, phrase
from rebalance_proofs.recorded.knowledge.data import text
from rebalance_proofs.recorded.knowledge.pasted_texts import pasted
from rebalance_proofs.recorded.logs.readings import FAILED

Reason = tuple[Phrase, tuple[str, ...]]
SHORT: tuple[tuple[str, Phrase, tuple[str, ...]], ...] = (
    ("not latest", phrase("the broker has an older subscription"), ("subscription-not-latest",)),
    (
        "subscription not exist",
        phrase("the broker has no subscription for the topic"),
        ("subscriptions-overwritten", "not-subscribed"),
    ),
    (
        "group info not exist",
        phrase("the broker knows no consumer of the group"),
        ("broker-comes-back", "connections-flap", "heartbeats-late"),
    ),
    ("connect to null failed", phrase("the client has no name server address"), ()),
    ("connect to <null> failed", phrase("the client has no name server address"), ()),
    (
        "use of closed network connection",
        phrase("the client itself had closed the connection on which they were sent"),
        ("go-shared-client-closed", "connections-flap"),
    ),
    (
        "service close is not running",
        phrase("the client instance was closed by a Shutdown() before"),
        ("go-shared-client-closed",),
    ),
)
"""(part of the text, short sentence, causes) of the commonest refusals."""
HOLE = re.compile(r"\{\w+\}")
MOST = 3


@cache
def reason(said: str, code: int = -1) -> Reason:
    """Return what a refused pull shows, and its causes.

    ``said`` is the reason in the log, ``code`` the response code.
    """
    lower = said.lower()
    for part, words, causes in SHORT:
        if part in lower:
            return words, causes
    said = said.rstrip(" ,.:;!")
    for pattern, means, causes in _texts():
        if pattern.search(said):
            return phrase("{said}: {means}", said=said, means=_first(means)), causes[:MOST]
    if code in _codes():
        means, causes = _codes()[code]
        return phrase("{said}: {means}", said=said, means=means), causes[:MOST]
    if said.startswith(FAILED):
        return phrase("they failed by {error}", error=said.removeprefix(FAILED)), ("broker-unreachable",)
    return (Phrase(said), ()) if said else (phrase("the log gives no reason"), ())


def meaning(code: int) -> Text | None:
    """Return the meaning of a response code that indicates no cause by itself; None if it is not known."""
    means = {one["number"]: text(one["means"]) for one in pasted("codes")["code"] if "causes" not in one}.get(code)
    return _first(means) if means else None


def _first(means: Text) -> Text:
    """Return the first part of an explanation, without its placeholders."""
    en, zh = (re.split(r"[:：.。](?:\s|$|(?<=[。：]))", one)[0] for one in (means.en, means.zh))
    return Text(HOLE.sub("…", en[:1].lower() + en[1:]), HOLE.sub("…", zh))


@cache
def _texts() -> list[tuple[re.Pattern[str], Text, tuple[str, ...]]]:
    return [
        (re.compile(".*?".join(map(re.escape, HOLE.split(one))), re.I), text(entry["means"]), tuple(entry["causes"]))
        for entry in pasted("exceptions")["exception"]
        for one in entry["texts"]
        if "causes" in entry
    ]


@cache
def _codes() -> dict[int, tuple[Text, tuple[str, ...]]]:
    return {
        one["number"]: (text(one["means"]), tuple(one["causes"])) for one in pasted("codes")["code"] if "causes" in one
    }
