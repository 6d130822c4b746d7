"""Why a pull was refused: the exception's text or response code, as ``rebalance why`` explains them."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.audit.finding import (
    Finding,
    Interval,
    Level,
    What,
    episodes,
    events,
    finding_of,
    leaves,
    lines_of,
    times,
)
from rebalance_proofs.recorded.audit.group import Group, Phrase, both, ids_in, phrase
from rebalance_proofs.recorded.audit.told import Event, Span, View, Where
from rebalance_proofs.recorded.knowledge.pasted_texts import pasted
from rebalance_proofs.recorded.knowledge.schema import text
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.named import CLOSED, WITHOUT_LIST, answered
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


# Findings about consumers without a member list, or missing from it.

JOINS = 30_000
"""Longest time in ms from a failed query for the member list to a result, in the ordinary course of a start."""
UNLISTED = ("go-not-listed", "cpp-not-listed")
NO_LIST = ("ids-not-fetched", "group-not-known", "cpp-no-ids", "go-no-ids")
UNREACHED = (
    "connect-failed",
    "request-timed-out",
    "heartbeat-failed",
    "unregister-failed",
    "not-committed",
    "commit-not-sent",
    "route-failed",
    "no-offset",
    "offset-not-fetched",
    "locks-failed",
    "lock-not-asked",
    "unlock-failed",
    "notify-failed",
)
"""Lines about requests that a broker or name server did not answer, or that were not sent."""
VIP_PORT = ":10909"
SAME_REASON = 900_000
"""Longest time in ms between a failed request and another one of the process that failed for the same reason."""
PACKAGE = re.compile(r"\b(?:[a-z]\w*\.){2,}(?=[A-Z])")
LOCATION = re.compile(r",? *\S+\(\w+\.java:\d+\)")
ADDRESS = re.compile(r"[\w.-]+:\d+")
MOST_CAUSES = 3


def told_of(group: Group, one: Event) -> tuple[str, ...]:
    """Return the consumer of a line, if it is known."""
    return (group.told(one.member),) if one.member[0] else ()


def unlisted(group: Group) -> Iterator[Finding]:
    """Yield findings about consumers that got no member list, or one without their own id.

    A single line shortly before a result is ordinary: the first heartbeat was on its way.
    """
    every = events(group, Kind.NOT_LISTED, Kind.NO_IDS)
    every += [one for one in events(group, Kind.SAID) if one.name in UNLISTED + NO_LIST]
    every = [one for one in every if not leaves(group, one)]
    for many in episodes(every, lambda one: (one.member, one.kind is Kind.NOT_LISTED or one.name in UNLISTED)):
        if _starts(group, many):
            continue
        missing = many[0].kind is Kind.NOT_LISTED or many[0].name in UNLISTED
        failed = [one for one in many if one.name in NO_LIST and one.kind is Kind.SAID]
        number = lines_of([one for one in many if one not in failed]) or lines_of(many)
        if missing:
            words = phrase("{often}, its id was missing from the broker's member list", often=times(number))
            if listed := len(ids_in(many[-1].more)):
                words = both(words, phrase(" of {number} ids", number=listed))
            words = both(words, phrase(", so it took no queues"))
            causes: tuple[str, ...] = ("not-listed", "second-channel", "registries-differ")
        else:
            words = phrase("{often}, no broker gave it the list of the group's members", often=times(number))
            if many[0].name == "group-not-known":
                words = phrase(
                    "{often}, a broker that was asked for the member list knew no member", often=times(number)
                )
            causes = ("broker-comes-back", "broker-unreachable", "registries-differ")
            why = _why(group, many)
            if why:
                words = both(words, why[0])
            if any(CLOSED.search(one.more) for one in many):
                causes = ("go-shared-client-closed",)
            elif any(VIP_PORT in one.more for one in failed) or _vip(group, many):
                causes = ("vip-channel", *causes[:2])
            elif why and why[1] is not None:
                causes = why[1]
            elif _fails(group, many):
                causes = ("broker-unreachable", "broker-comes-back")
        yield finding_of(What.UNLISTED, group, told_of(group, many[0]), many, words, causes)


def _why(group: Group, many: Sequence[Event]) -> tuple[Phrase, tuple[str, ...] | None] | None:
    """Return the reason that an exception gives for a missing list, with its causes; None without an exception.

    The causes are None if the exception does not tell them.
    """
    own = [one for one in many if one.name in WITHOUT_LIST and one.more and not ADDRESS.fullmatch(one.more)]
    said = [_said(*answered(one.more, one.numbers if one.kind is Kind.SAID else ())) for one in reversed(own)]
    if said:
        words, causes = next((one for one in said if one[1]), said[0])
        return both(phrase(": "), words), causes
    at = many[0].at
    share = group.by_log[many[0].member[1]]
    near = [one for one in share.refused_lists if at is not None and abs(one[0] - at) <= SAME_REASON]
    if not near:
        return None
    nearest = min(near, key=lambda one: abs(one[0] - (at or 0)))
    words, causes = _said(*nearest[2:])
    if not causes:
        return None
    cause = phrase("; the request for the list of {group} failed by ", group=nearest[1])
    return both(cause, words), (*causes, "broker-comes-back", "broker-unreachable")[:MOST_CAUSES]


def _said(more: str, code: int) -> tuple[Phrase, tuple[str, ...] | None]:
    said = LOCATION.sub("", PACKAGE.sub("", more)).strip(" ,;")
    words, causes = reason(said, code)
    if causes[:1] == ("broker-address",):
        # A running client has reached this address before, so the broker's stop is likelier than a wrong address.
        return Phrase(said), ("broker-unreachable", "broker-comes-back", "broker-address")
    if causes:
        return words, causes
    means = meaning(code)
    return (phrase("{said}: {means}", said=said, means=means), ()) if means else (words, _without_cause(said))


def _without_cause(said: str) -> tuple[str, ...] | None:
    """Return no cause if the client has no address to ask, and None if the reason is not known."""
    return () if "connect to null failed" in said or "connect to <null> failed" in said else None


def _vip(group: Group, many: Sequence[Event]) -> bool:
    """Return whether the consumer could not connect to the VIP port of a broker at that time."""
    first, last = many[0].at, many[-1].at
    return any(
        VIP_PORT in one.more
        and one.name in UNREACHED
        and one.member == many[0].member
        and first is not None
        and last is not None
        and one.at is not None
        and first - JOINS <= one.at <= last + JOINS
        for one in events(group, Kind.SAID)
    )


def _fails(group: Group, many: Sequence[Event]) -> bool:
    """Return whether other requests of the consumer failed at that time, too."""
    first, last = many[0].at, many[-1].at
    return any(
        first is not None and last is not None and one.at is not None and first - JOINS <= one.at <= last + JOINS
        for one in events(group, Kind.REFUSED, Kind.SAID)
        if one.member == many[0].member and (one.more.startswith(FAILED) or one.name in UNREACHED)
    )


def _starts(group: Group, many: Sequence[Event]) -> bool:
    first, last = many[0].at, many[-1].at
    if first is None or last is None or last - first > JOINS:
        return False
    if many[0].name == "group-not-known":
        return any(
            one.member[1] == many[0].member[1] and one.at is not None and abs(one.at - first) <= JOINS
            for one in events(group, Kind.CONNECTED)
        )
    return any(
        view.member == many[0].member and view.at is not None and 0 <= view.at - first <= JOINS and view.result
        for own in group.views.values()
        for view in own
    )


# Findings about consumers without a queue because the group has more members than the topic has queues.

RETRY = "%RETRY%"
"""Prefix of retry topics, which have one queue a broker, so most members have none."""
MOST_PLACES = 12
SAME_REBALANCE = 3_000
"""Longest time in ms from the removal of a queue to the result of the same rebalance."""


def surplus(group: Group) -> Iterator[Finding]:
    """Yield one finding for each topic with more members than queues; this is no fault."""
    for topic, every in group.views.items():
        if topic.startswith(RETRY):
            continue
        idle = {one.member: one for one in every if 0 < one.mq_all < one.cid_all and not one.result}
        if idle:
            yield _finding(group, sorted(idle.values(), key=lambda one: (one.at or 0, one.where)))


def _finding(group: Group, idle: Sequence[View]) -> Finding:
    """Return the finding about results without a queue; ``idle``: the last one of each such consumer."""
    words = phrase(
        "the group has {members} members and the topic {queues} queues, so {surplus} without a queue is expected, and "
        "no fault",
        members=idle[-1].cid_all,
        queues=idle[-1].mq_all,
        surplus=idle[-1].cid_all - idle[-1].mq_all,
    )
    places: list[Where] = []
    for view in idle:
        for span in _given_up(group, view):
            queue = f"{span.queue[1]} {span.queue[2]}"
            words = both(words, phrase("; {client} gave up {queue}", client=group.told(view.member), queue=queue))
            offset = _offset(group, span)
            if offset is not None:
                words = both(words, phrase(" at offset {offset}", offset=offset))
            places.append(span.last)
        places.append(view.where)
    return Finding(
        What.LINES,
        Level.SEEN,
        group.name,
        idle[0].topic,
        tuple(group.told(view.member) for view in idle),
        (Interval(None, idle[0].at, idle[-1].at),),
        words,
        ("more-consumers-than-queues",),
        tuple(dict.fromkeys(places))[:MOST_PLACES],
    )


def _given_up(group: Group, view: View) -> Sequence[Span]:
    """Return the queues that the consumer gave up in the rebalance with this result."""
    return [
        span
        for queue, own in sorted(group.spans.items())
        for span in own
        if queue[0] == view.topic
        and span.member == view.member
        and span.ends
        and view.at is not None
        and 0 <= view.at - span.end <= SAME_REBALANCE
    ]


def _offset(group: Group, span: Span) -> int | None:
    """Return the offset that the consumer committed when it gave the queue up."""
    return next(
        (
            one.last
            for one in group.by_log[span.member[1]].commits
            if one.given_up and one.queue == span.queue and abs(one.at - span.end) <= SAME_REBALANCE
        ),
        None,
    )
