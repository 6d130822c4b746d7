"""Findings about consumers without a member list, or missing from it."""

import re
from collections.abc import Iterator, Sequence

from rebalance_proofs.recorded.audit.episodes import episodes, events, finding_of, leaves, lines_of, times
from rebalance_proofs.recorded.audit.finding import Finding, What
from rebalance_proofs.recorded.audit.group import Group, ids_in
from rebalance_proofs.recorded.audit.phrase import Phrase, both, phrase
from rebalance_proofs.recorded.audit.refusals import meaning, reason
from rebalance_proofs.recorded.audit.told import Event
from rebalance_proofs.recorded.logs.fact import Kind
from rebalance_proofs.recorded.logs.named import CLOSED, WITHOUT_LIST, answered
from rebalance_proofs.recorded.logs.readings import FAILED

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
