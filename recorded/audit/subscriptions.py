"""Findings about a group whose members subscribe differently, so that each heartbeat replaces the subscription."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rebalance_proofs.recorded.audit.episodes import events, finding_of, times
from rebalance_proofs.recorded.audit.finding import Finding, What
from rebalance_proofs.recorded.audit.group import Group
from rebalance_proofs.recorded.audit.phrase import phrase
from rebalance_proofs.recorded.audit.told import Event
from rebalance_proofs.recorded.logs.fact import Kind

BACK = 300_000
"""Longest time in ms from a change of a subscription to the one that reverts it; heartbeats come every 30 s."""
ARROW = " -> "


def subscriptions(group: Group) -> Iterator[Finding]:
    """Yield findings about subscriptions that a broker replaced and that came back."""
    by_topic: dict[tuple[str, str, str], list[Event]] = {}
    for one in events(group, Kind.SUBSCRIPTION):
        if one.topic and one.more and one.at is not None:
            by_topic.setdefault((one.member[1], one.topic, one.name), []).append(one)
    for (_, topic, name), own in sorted(by_topic.items()):
        own.sort(key=lambda one: (one.at or 0, one.where))
        backs = [
            pair for pair in pairwise(own) if _reverts(*pair, name) and (pair[1].at or 0) - (pair[0].at or 0) <= BACK
        ]
        if backs:
            yield _finding(group, topic, name, backs)


def _reverts(one: Event, other: Event, name: str) -> bool:
    if name == "topics-changed":
        return (one.more, other.more) == ("removed", "added")
    old, _, new = one.more.partition(ARROW)
    return old != new and other.more == f"{new}{ARROW}{old}"


def _finding(group: Group, topic: str, name: str, backs: Sequence[tuple[Event, Event]]) -> Finding:
    every = [one for pair in backs for one in pair]
    if name == "topics-changed":
        words = phrase(
            "the topic left the group's subscription and came back, {often}: members subscribe to different topics, "
            "and each heartbeat replaces those of the whole group",
            often=times(len(backs)),
        )
        return finding_of(What.VIEWS, group, (), every, words, ("subscriptions-overwritten",))
    old, _, new = every[0].more.partition(ARROW)
    words = phrase(
        "the subscription changed between {old} and {new}, and back, {often}: members subscribe to {topic} "
        "differently, and each heartbeat replaces the subscription of the whole group",
        old=old,
        new=new,
        often=times(len(backs)),
        topic=topic,
    )
    return finding_of(What.VIEWS, group, (), every, words, ("tags-differ",))
