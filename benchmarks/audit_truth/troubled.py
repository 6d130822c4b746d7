"""Played groups with what no recording has enough of, and what really happened in them."""

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from benchmarks.audit_truth.happened import Called, Denied, Happened, Refused, Saw
from benchmarks.logs import FORMS, START, Form, Held, Odd, Played, play
from rebalance_proofs.model.queues import MessageQueue, to_string

Line = tuple[int, str]
"""(ms, text, which can be of several lines)."""
REASONS = {
    "subscription not latest": (25, "the consumer's subscription not latest"),
    "subscription not exist": (24, "the consumer's subscription not exist"),
    "group info not exist": (24, "the consumer's group info not exist"),
}


def troubled(seed: int) -> tuple[Happened, dict[str, list[str]]]:
    """What happened, and each member's log."""
    drawn = random.Random(seed)
    form = FORMS[drawn.choice(sorted(FORMS))]
    odd = drawn.choice(list(Odd))
    played = play(seed, drawn.randrange(2, 6), 8, 180, form.name, 0.2, odd)
    really, ordered = _of_play(played), drawn.random() < 0.3
    changes, at = [], min(begin for begin, _ in played.ran.values())
    for _ in range(drawn.randrange(40)):
        at += drawn.randrange(500, 15_000)
        changes.append(at)
    for who in sorted(played.logs):
        scene = _Scene(drawn, form, who, played, really, changes, ordered)
        extra = [line for act in ACTS for line in act(scene)]
        own, flow = _stuck(scene, played.logs[who])
        extra += flow
        lines = [*own, *(text for _, text in sorted(extra, key=lambda one: one[0]))]
        played.logs[who] = sorted(lines, key=lambda text: text[:HEAD])
    return really, played.logs


HEAD = len("2024-01-01 00:00:00.000")


def _name(queue: MessageQueue) -> str:
    return f"{queue.topic}:{queue.broker_name}:{queue.queue_id}"


def _of_play(played: Played) -> Happened:
    really = Happened(
        groups=dict.fromkeys(played.logs, "G"),
        clients={who: who.removesuffix("-b") for who in played.logs},
        ran=dict(played.ran),
        entries=[(one.log, _name(one.queue), one.begin, one.end) for one in played.held],
        still=dict(played.stopped),
    )
    for one in played.turns:
        lists = tuple(map(_name, one.mq_all)), one.cid_all, tuple(map(_name, one.result))
        really.saw.append(Saw(one.log, one.client, one.mq_all[0].topic, one.at, one.strategy, *lists))
    return really


class _Scene(NamedTuple):
    """One member of a group."""

    drawn: random.Random
    form: Form
    who: str
    played: Played
    really: Happened
    changes: list[int]
    """Times at which the group's members are notified."""
    ordered: bool
    """Whether the group takes locks."""

    def times(self, many: int, apart: int) -> list[int]:
        """So many times, about so many ms apart, at which it ran."""
        begin, end = self.played.ran[self.who]
        at = begin + 2_000 + self.drawn.randrange(max(1, end - begin - 2_000))
        found = []
        for _ in range(many):
            at += apart // 2 + self.drawn.randrange(apart)
            if at < end - 1_000 and not any(one <= at <= other for one, other in self.really.still.get(self.who, [])):
                found.append(at)
        return found

    def held(self) -> list[Held]:
        """Its entries."""
        return [one for one in self.played.held if one.log == self.who]

    def line(self, at: int, message: str, level: str = "WARN") -> Line:
        return at, self.form.line(at, message, level)


def _notifications(scene: _Scene) -> Iterator[Line]:
    """Of changes of the group, of which some are lost."""
    begin, end = scene.played.ran[scene.who]
    still = scene.really.still.get(scene.who, [])
    for change in scene.changes:
        at = change + scene.drawn.randrange(40)
        if begin < at < end - 1_000 and not any(one <= at <= two for one, two in still) and scene.drawn.random() < 0.8:
            scene.really.notified.append((at, scene.who))
            text = "receive broker's notification[10.0.1.1:10911], the consumer group: G changed, rebalance immediately"
            yield scene.line(at, text, "INFO")


def _refusals(scene: _Scene) -> Iterator[Line]:
    for reason, (code, words) in REASONS.items():
        if scene.drawn.random() < 0.2:
            for at in scene.times(scene.drawn.randrange(1, 12), 1_000):
                scene.really.refused.append(Refused(at, scene.who, "G", reason))
                thrown = f"org.apache.rocketmq.client.exception.MQBrokerException: CODE: {code}  DESC: {words}\n"
                yield at, scene.line(at, "execute the pull request exception")[1] + thrown
    if scene.drawn.random() < 0.2:
        for at in scene.times(scene.drawn.randrange(1, 12), 1_000):
            thrown = "org.apache.rocketmq.remoting.exception.RemotingTimeoutException: invokeAsync call timeout\n"
            yield at, scene.line(at, "execute the pull request exception")[1] + thrown


def _locks(scene: _Scene) -> Iterator[Line]:
    """Of queues that it has not; some were not denied, but the request failed."""
    if not scene.ordered or scene.drawn.random() < 0.5:
        return
    queue = scene.drawn.choice(sorted({one.queue for one in scene.played.held}, key=to_string))
    for at in scene.times(scene.drawn.randrange(1, 12), 1_500):
        if any(one.queue == queue and one.begin <= at <= one.end for one in scene.held()):
            continue
        if scene.drawn.random() < 0.2:
            thrown = "org.apache.rocketmq.remoting.exception.RemotingTimeoutException: wait response timeout\n"
            yield at - 1, scene.line(at - 1, f"lockBatchMQ exception, {to_string(queue)}", "ERROR")[1] + thrown
        else:
            scene.really.denied.append(Denied(at, scene.who, _name(queue)))
        yield scene.line(at, f"doRebalance, G, add a new mq failed, {to_string(queue)}, because lock failed")


def _suspended(scene: _Scene) -> Iterator[Line]:
    if scene.drawn.random() < 0.2 and (times := scene.times(scene.drawn.randrange(2, 20), 1_000)):
        scene.really.paused[scene.who] = [(times[0], times[-1])]
        for at in times:
            yield scene.line(at, "consumer was paused, execute pull request later. instanceName=4711, group=G")


def _unpulled(scene: _Scene) -> Iterator[Line]:
    """Of a client of 5.0 and later, whose line is no removal."""
    own = [one for one in scene.held() if one.end - one.begin > 30_000]
    if own and scene.form.name == "5" and scene.drawn.random() < 0.2:
        one = scene.drawn.choice(own)
        at = scene.drawn.randrange(one.begin + 20_000, one.end)
        if any(begin <= at <= end for begin, end in scene.really.still.get(scene.who, [])):
            return
        scene.really.unpulled.append((scene.who, _name(one.queue), one.begin, at))
        text = f"[BUG]doRebalance, G, try remove unnecessary mq, {to_string(one.queue)}, because pull is pause, "
        yield scene.line(at, text + "so try to fixed it", "ERROR")


def _stuck(scene: _Scene, lines: list[str]) -> tuple[list[str], list[Line]]:
    """The log with a queue whose offset stays where it was, and lines of flow control that name that offset."""
    others = [one for one in scene.played.held if one.log != scene.who]
    long = [
        one
        for one in scene.held()
        if one.end - one.begin > 100_000
        and not any(each.queue == one.queue and each.begin < one.end and one.begin < each.end for each in others)
    ]
    still = scene.really.still.get(scene.who, [])
    if not long or still or scene.drawn.random() < 0.5:
        return lines, []
    one = scene.drawn.choice(long)
    mark = f"updateConsumeOffsetToBroker {to_string(one.queue)} "
    from_ = one.begin + 10_000 + scene.drawn.randrange(10_000)
    found, times, offset = [], [], 0
    for line in lines:
        head, cut, number = line.partition(mark)
        at = int(number) + START if cut else 0
        if cut and from_ <= at < one.end:
            offset = offset or int(number)
            times.append(at)
            line = f"{head}{cut}{offset}\n"
        found.append(line)
    if len(times) < 2 or times[-1] - times[0] < 65_000:
        return lines, []
    scene.really.stalled.append((scene.who, _name(one.queue), times[0], times[-1]))
    text = (
        f"the queue's messages, span too long, so do flow control, minOffset={offset}, maxOffset={offset + 2001}, "
        f"maxSpan=2001, pullRequest=PullRequest [consumerGroup=G, messageQueue={to_string(one.queue)}, "
        f"nextOffset={offset + 2002}], flowControlTimes=1"
    )
    flow = scene.drawn.random() < 0.5
    return found, [scene.line(at + 7, text) for at in times[1::5] if flow]


def _listeners(scene: _Scene) -> Iterator[Line]:
    """Calls that end after the queue was taken away."""
    for one in scene.held():
        if one.end >= scene.played.ran[scene.who][1] - 100 or scene.drawn.random() < 0.6:
            continue
        at = one.end + scene.drawn.randrange(100, 8_000)
        if at >= scene.played.ran[scene.who][1] or any(
            begin <= at <= end for begin, end in scene.really.still.get(scene.who, [])
        ):
            continue
        scene.really.called.append(Called(scene.who, _name(one.queue), one.end - 50, at))
        text = f"processQueue is dropped without process consume result. messageQueue={to_string(one.queue)}, msgs=[]"
        yield scene.line(at, text)


ACTS: tuple[Callable[[_Scene], Iterator[Line]], ...] = (
    _notifications,
    _refusals,
    _locks,
    _suspended,
    _unpulled,
    _listeners,
)
