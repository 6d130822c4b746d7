"""Monitor claims about the tag expression by which a broker filters a group's messages.

The broker takes it from the heartbeat with the newest subscription version, or from a pull request.
"""

from bisect import bisect_right
from collections.abc import Iterator

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS
from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.subscriptions.waits import REFUSED, subs
from rebalance_proofs.recorded.groups.event import BEAT, PULL, Sent
from rebalance_proofs.recorded.groups.member import subscriptions as tags_of
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import View

KIND = "subscriptions"
SETTLING = number(DEFAULTS.apart)
"""Time in ms after a message was sent in which no other consumer may have a newer subscription version."""


def expressions(view: View, group: str, release: str) -> Iterator[Told]:
    """Check the consumers of one group, all of the same release."""
    posted = [
        call for who in view.groups[group] for call in view.asked(who, PULL)
        if call.ask.said.has_subscription
    ]  # fmt: skip
    refused: list[Bad] = [(call.ask.at, None) for call in posted if _refused(call)]
    yield told(KIND, release, "posted", "a pull was refused although it contained its expression", len(posted), refused)
    chances, skipped = _newest(view, group)
    what = "a message was skipped although the queue's owner subscribes to its tag, with the newest version"
    yield told(KIND, release, "own-tags", what, chances, skipped, variants=("newest",))


def _refused(call: Call) -> bool:
    return call.answered is not None and call.answered.said.code in REFUSED


def _newest(view: View, group: str) -> tuple[int, list[Bad]]:
    """Return (chances, violations) for messages whose tags the newest subscription includes."""
    every = {who: tags_of(view.trace.consumers[who].sub) for who in view.groups[group]}
    if len({str(sorted(one.items())) for one in every.values()}) == 1:
        return 0, []  # all expressions are equal, so versions do not matter
    read = {(call.q, offset) for who in every for call in view.calls[who] for offset in call.offsets}
    passed = {q: max(now for _, _, now in its) for (name, q), its in view.commits.items() if name == group}
    versions = {who: _versions(view, who, group) for who in every}
    chances, bad = 0, list[Bad]()
    for sent in view.trace.produced(Sent):
        topic = topic_of(sent.q)
        owners = [who for who in every if (held := view.entry(who, sent.q, sent.at)) and held.end > sent.at + SETTLING]
        if len(owners) != 1 or sent.offset >= passed.get(sent.q, 0):
            continue
        (owner,) = owners
        held = view.entry(owner, sent.q, sent.at)
        mine = _version(versions[owner], topic, sent.at)
        others = [_version(versions[who], topic, sent.at + SETTLING) for who in every if who != owner]
        if {sent.tag, "*"} & {*every[owner].get(topic, ())} and mine > max(others, default=0) and held is not None:
            chances += 1
            bad += [(sent.at, None)] * ((sent.q, sent.offset) not in read)
    return chances, bad


def _versions(view: View, who: str, group: str) -> dict[str, list[tuple[int, int]]]:
    """Return the answered heartbeats of each topic: (time in ms, version)."""
    found: dict[str, list[tuple[int, int]]] = {}
    for call in view.asked(who, BEAT):
        for topic, version in subs(call.ask.said, group).items() if call.answered else ():
            found.setdefault(topic, []).append((call.answered.at if call.answered else 0, version))
    return found


def _version(versions: dict[str, list[tuple[int, int]]], topic: str, at: int) -> int:
    """Return the newest subscription version of a topic that a broker knows at a time, or 0."""
    its = versions.get(topic, [])
    place = bisect_right(its, at, key=lambda one: one[0])
    return its[place - 1][1] if place else 0
