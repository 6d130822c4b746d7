"""Monitor claims about a broker's registry: which members it lists, for how long, and which it notifies."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.recorded.cluster.beats import how
from rebalance_proofs.recorded.cluster.requests import Call
from rebalance_proofs.recorded.cluster.trace import LOOK, STALL
from rebalance_proofs.recorded.groups.broker import Answered, BrokerStarted, BrokerStarting, Heard
from rebalance_proofs.recorded.groups.driver import Signal
from rebalance_proofs.recorded.groups.event import BEAT, BYE, LIST, Queues, Topic
from rebalance_proofs.recorded.groups.member import Allocate, Notified, ShutdownBegin, ShutdownEnd, Started
from rebalance_proofs.recorded.groups.run import DRIVER, of_kind
from rebalance_proofs.report.reality.told import Bad, Told, told
from rebalance_proofs.report.reality.view import RETURNED, View

# Monitor claims that brokers list the same members, and that consumers see the same route.

KIND = "registry"
SETTLED = max(number(DEFAULTS.beat), number(DEFAULTS.expired) + number(DEFAULTS.scan)) + LOOK + STALL
"""Time in ms after the last change by which two brokers must list the same members."""
POLLED = number(DEFAULTS.poll) + 6_000
"""Longest time in ms until a client has a topic's new route, which it polls from the name server."""


def agreement(view: View) -> Iterator[Told]:
    """Compare the member lists of each two brokers, at times without a recent change."""
    what = "two brokers listed different ids of a group 132 s after its last change"
    for group in view.groups:
        release, chances, bad = view.release_of(group), 0, list[Bad]()
        if release is None or view.twins(group):
            continue
        for one, other in combinations(view.trace.brokers, 2):
            changes = sorted(_changes(view, group, (one, other)))
            for since, until in pairwise([*changes, view.trace.end]):
                if until - since > SETTLED and _hears(view, one, group, until) == _hears(view, other, group, until):
                    chances += 1
                    rows = [_listed(view, broker, group, until - 1) for broker in (one, other)]
                    bad += [(since + SETTLED, until - since - SETTLED)] * (rows[0] != rows[1])
        yield told(KIND, release, "agree", what, chances, bad)


def _changes(view: View, group: str, brokers: tuple[str, str]) -> Iterator[int]:
    """Yield times at which members came or left, connections were made, or brokers started.

    A connection is also new when its first heartbeat is registered, which can be after its end.
    """
    for broker in brokers:
        yield from (event.at for event in view.trace.kind(BrokerStarting, broker))
        yield from view.trace.killed(broker)
    for who in view.groups[group]:
        life = (event for event in view.trace.of[who] if isinstance(event, Started | ShutdownBegin | ShutdownEnd))
        yield from (event.at for event in life)
        yield from view.trace.killed(who)
        ports: set[tuple[str, str]] = set()
        for call in view.requests.all[who]:
            if call.port and call.broker in brokers and (call.broker, call.port) not in ports:
                ports.add((call.broker, call.port))
                yield call.ask.at
        registered: set[tuple[str, str]] = set()
        for call in view.asked(who, BEAT):
            if call.answered and call.broker in brokers and (call.broker, call.port) not in registered:
                registered.add((call.broker, call.port))
                yield call.answered.at


def _hears(view: View, broker: str, group: str, until: int) -> set[str]:
    """Return the clients of which a broker registered the last heartbeat that was due before the time ``until``."""
    since = until - number(DEFAULTS.beat) - STALL
    beats = (one for one in view.trace.kind(Answered, broker) if one.code == BEAT and since <= one.at <= until)
    own = (one.asked for one in beats if any(its.group == group for its in one.asked.groups or ()))
    return {asked.client_id for asked in own if asked.client_id}


def _listed(view: View, broker: str, group: str, at: int) -> list[str]:
    """Return the ids that a broker lists for a group at a time, including duplicates."""
    row = next((row for when, row in reversed(view.lists(broker, group)) if when <= at), frozenset())
    return sorted(name for name, _ in row)


def routes(view: View) -> Iterator[Told]:
    """Check that each consumer's rebalance sees queues added to a topic, once it must know the route."""
    what = "a member did not see a topic's new queues 38 s after they were added"
    added, known = dict[str, Queues](), dict[str, Queues]()
    for change in view.trace.produced(Queues):
        if change.topic in known and {*known[change.topic].queues} < {*change.queues}:
            added[change.topic] = change
        known[change.topic] = change
    for who in view.trace.consumers:
        chances, bad = 0, list[Bad]()
        for topic, change in added.items():
            due = view.due(who, change.at, POLLED)
            begun = view.trace.kind(Started, who)
            away = any(end > change.at for broker in view.trace.brokers for _, end in view.trace.away(broker))
            late = any(view.trace.delayed(broker, change.at, due) for broker in view.trace.brokers)
            if not begun or begun[0].at > change.at or away or late:
                continue
            rounds = (one for one in view.trace.kind(Allocate, who) if one.topic == topic and one.at >= due)
            first = next(rounds, None)
            # A change that the client sees while the topic is not subscribed updates its route, not the topic's queues.
            if first is not None and not view.unsubscribed(who, topic, change.at, first.at):
                chances += 1
                bad += [(first.at, first.at - change.at)] * (not {*change.queues} <= {*(first.mq_all or ())})
        yield told(KIND, view.trace.release(who), "routed", what, chances, bad)
        words = "a member still used a topic's outdated route a whole poll interval after it had more queues"
        yield told(KIND, view.trace.release(who), "route-as-long", words, 0, _outdated(view, who), can=True)


def _outdated(view: View, who: str) -> list[Bad]:
    """Return rebalances with an outdated route, of which the age reaches the bound within the accuracy of times.

    A topic has its new queues when its creation has returned. The producer sees them later.
    """
    settings, bad = view.trace.consumers[who].settings, list[Bad]()
    poll = int(settings.get("pollNameServerInterval", number(DEFAULTS.poll)))
    joined, left = view.life(who)
    changes = view.trace.produced(Queues)
    for made in view.trace.produced(Topic):
        change = next((one for one in changes if one.topic == made.topic and one.at >= made.at), None)
        if change is None or not joined < made.at or view.away(made.at, change.at, 0):
            continue
        rounds = (one for one in view.trace.kind(Allocate, who) if one.topic == made.topic and made.at < one.at < left)
        old = [one.at for one in rounds if not {*change.queues} <= {*(one.mq_all or ())}]
        gone = bool(old) and view.unsubscribed(who, made.topic, made.at, old[-1])
        if old and not gone and old[-1] - made.at >= poll - min(STALL, poll // 10):
            bad.append((old[-1], old[-1] - made.at))
    return bad


# Monitor claims that a broker notifies a group's members when its member list changes.

SEEN = LOOK + STALL
"""Longest time in ms until the recorder, which polls a broker's table, sees a change of the table."""


@dataclass
class _Found:
    chances: int = 0
    bad: list[Bad] = field(default_factory=list)
    """Changes of the member list of which a remaining member was not notified."""
    scanned: list[Bad] = field(default_factory=list)
    """The changes in ``bad`` that the broker's scan for idle connections made."""


def notified(view: View, broker: str) -> Iterator[Told]:
    """Check for each change of a group's member list whether the broker notified all other members."""
    set_up, beats = how(view.trace, broker), _beats(view, broker)
    what = "a listed member was not notified of another member's change"
    for group in view.groups:
        release = view.release_of(group)
        if release is None or view.twins(group):
            continue
        found = _group(view, broker, group, beats, number(DEFAULTS.collect) if set_up["later"] else 0)
        words = f"{what}, with notifications switched off"
        off = found.bad if set_up["off"] else []
        yield told(KIND, release, "told", words, 0, off, variants=("without-notifications",))
        if set_up["later"] and not set_up["off"]:
            words = "a listed member was not notified within 15 s of another member's change"
            yield told(KIND, release, "told-late", words, found.chances, found.bad)
        elif not set_up["off"]:
            yield told(KIND, release, "told", what, found.chances, found.bad)
            words = f"{what}, because a scan removed the channel before the broker noticed its end"
            yield told(KIND, release, "told", words, 0, found.scanned, variants=("without-close",))


def _group(view: View, broker: str, group: str, beats: Mapping[str, list[int]], later: int) -> _Found:
    """Check the notifications of one group.

    ``beats``: heartbeat times by port. ``later``: time in ms for which the broker batches notifications.
    """
    found, before = _Found(), frozenset[tuple[str, int]]()
    for at, row in view.lists(broker, group):
        was, ids = ({name for name, _ in each} for each in (before, row))
        gone, before = before - row, row
        if view.trace.delayed(broker, at - SEEN, at + SEEN + later) and not _expired(beats, gone, at):
            continue
        for name in ids & was if ids != was else ():
            who = view.names.get((group, name))
            until = view.due(who, at, later) if who else at
            if who and until + LOOK < view.leaves(who) and not restarts(view, broker, at):
                told_of = any(at - SEEN <= one.at <= until for one in view.trace.kind(Notified, who))
                if _expired(beats, gone, at):  # a scan sends no notification
                    found.scanned += [(at, None)] * (not told_of)
                else:
                    found.chances += 1
                    found.bad += [(at, None)] * (not told_of)
    return found


def _beats(view: View, broker: str) -> Mapping[str, list[int]]:
    """Return the times of heartbeats that the broker received, by port of their connection."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for one in view.trace.kind(Heard, broker):
        if one.code == BEAT:
            found[one.from_.rpartition(":")[2]].append(one.at)
    return found


def _expired(beats: Mapping[str, list[int]], gone: frozenset[tuple[str, int]], at: int) -> bool:
    """Return True if the last heartbeat on one of these connections is old enough for a scan to remove it."""
    last = (max((beat for beat in beats.get(str(port), ()) if beat <= at), default=None) for _, port in gone)
    return any(beat is not None and at - beat > number(DEFAULTS.expired) for beat in last)


def restarts(view: View, broker: str, at: int) -> bool:
    """Return True if the broker is away at a time, or its clients have not returned yet."""
    return any(begin - SEEN <= at <= end + RETURNED for begin, end in view.gone(broker))


BEAT_TIMEOUT = 3_000
"""Time in ms for which a client waits for the answer to a heartbeat (``mqClientApiTimeout``)."""
GONE = number(DEFAULTS.expired) + number(DEFAULTS.scan)
"""Time in ms after the last heartbeat by which the broker's scan has removed a connection."""
LACKING = {
    "restart": "registered before the broker's restart",
    "heartbeats": "whose heartbeats were late",
    "connection": "whose connection had ended",
}
"""Assumption of claims -> description of a member that is not listed because the assumption failed."""


def registry(view: View) -> Iterator[Told]:
    """Check the member lists of all brokers in the recording."""
    for broker in view.trace.brokers:
        yield from _answers(view, broker)
        yield from notified(view, broker)
        for who in view.trace.consumers:
            if not view.twins(view.trace.consumers[who].group):
                yield from _member(view, broker, who)
    yield from routes(view)
    yield from agreement(view)


def _answers(view: View, broker: str) -> Iterator[Told]:
    """Compare the member lists that a broker returns with the heartbeats that it had answered before."""
    listed = "a list of ids lacked a live member with a registered heartbeat"
    for group in view.groups:
        release = view.release_of(group)
        if release is None or view.twins(group):
            continue
        found = _Lists(view, broker, group)
        for event in [*view.trace.of[broker]]:
            found.read(event)
        yield told(KIND, release, "listed", listed, found.chances, found.lacking)
        for variant, words in LACKING.items():
            bad = found.lacking_without[variant]
            yield told(KIND, release, "listed", f"{listed}, {words}", 0, bad, variants=(f"without-{variant}",))
        what = "a list of ids contained an id twice"
        yield told(KIND, release, "once", what, found.answers, found.twice)
        words = f"{what}, because the broker had not noticed the end of a connection"
        yield told(KIND, release, "once", words, 0, found.delayed, variants=("without-close",))
        words, perhaps = f"{what}, after the broker had been away or had paused", ("without-close", "without-order")
        yield told(KIND, release, "once", words, 0, found.paused, variants=(), perhaps=perhaps)


@dataclass
class _Lists:
    """One group at one broker: its registered members, and the member lists that the broker returned."""

    view: View
    broker: str
    group: str

    def __post_init__(self) -> None:
        self.answers = self.chances = 0
        self.registered: dict[str, tuple[int, str]] = {}
        self.before: set[str] = set()
        self.lacking, self.twice = list[Bad](), list[Bad]()
        self.delayed, self.paused = list[Bad](), list[Bad]()
        self.lacking_without: defaultdict[str, list[Bad]] = defaultdict(list)
        calls = (call for who in self.view.groups[self.group] for call in self.view.asked(who, LIST))
        self.asked = {call.answered.row: call.ask.at for call in calls if call.answered and call.broker == self.broker}
        """Position of an answer in the recording -> time in ms of its request."""

    def read(self, event: object) -> None:
        """Update this state with the broker's next event, and check the member list if it is an answer."""
        if isinstance(event, BrokerStarting):
            self.before |= {*self.registered}
            self.registered.clear()
        if not isinstance(event, Answered):
            return
        asked = event.asked
        if event.code == BEAT and asked.client_id and any(one.group == self.group for one in asked.groups or ()):
            self.registered[asked.client_id] = event.at, event.from_
            self.before.discard(asked.client_id)
        elif event.code == BYE and asked.client_id and asked.consumer_group == self.group:
            self.registered.pop(asked.client_id, None)
        elif event.code == LIST and asked.consumer_group == self.group and event.said.ids is not None:
            self._answered(event.at, self.asked.get(event.row, event.at - STALL), event.said.ids)

    def _answered(self, at: int, since: int, ids: tuple[str, ...]) -> None:
        twice: list[Bad] = [(at, None)] * (len({*ids}) < len(ids))
        # Connections that ended before can stay listed until a scan.
        if self.view.trace.delayed(self.broker, at - GONE - SEEN, at):
            self.delayed += twice
        elif self.view.disturbed(self.broker, at - GONE - SEEN, at):
            self.paused += twice
        else:
            self.answers += 1
            self.twice += twice
        for name in self.before:
            if self._lives(name, at) and name not in ids:
                self.lacking_without["restart"].append((at, None))
        for name, (beat, port) in self.registered.items():
            if not self._lives(name, at) or beat > since:
                continue
            if at - beat > number(DEFAULTS.expired):
                self.lacking_without["heartbeats"] += [(at, None)] * (name not in ids)
            elif self._later_port(name, at) not in (None, port):
                self.lacking_without["connection"] += [(at, None)] * (name not in ids)
            else:
                self.chances += 1
                self.lacking += [(at, None)] * (name not in ids)

    def _lives(self, name: str, at: int) -> bool:
        who = self.view.names.get((self.group, name))
        return who is not None and at < self.view.leaves(who)

    def _later_port(self, name: str, at: int) -> str | None:
        """Return the connection (a port) of the client's next request after the time ``at``."""
        calls = self.view.requests.all[self.view.names[self.group, name]]
        return next((one.port for one in calls if one.port and one.broker == self.broker and one.ask.at >= at), None)


def _member(view: View, broker: str, who: str) -> Iterator[Told]:
    group, release = view.trace.consumers[who].group, view.trace.release(who)
    client = next((name for (its, name), one in view.names.items() if one == who and its == group), None)
    lists = view.lists(broker, group)
    if client is None:
        return
    kills = [one.at for one in of_kind(view.trace.of[DRIVER], Signal) if one.of == who and one.signal == "SIGKILL"]
    lost = [at for at in kills if view.trace.delayed(broker, at, at) and _is_listed(lists, client, at + SEEN)]
    vanished = [(at, _listed_for(view, lists, client, at)) for at in lost]
    what = "a broker listed a member whose process had died without closing its connection"
    yield told(KIND, release, "at-once", what, 0, vanished, variants=("without-close",))
    what = "a broker listed a member on a vanished host until the bound on scans, counted from its last heartbeat"
    beats = [one.at for one in view.trace.kind(Heard, broker) if one.code == BEAT and one.said.client_id == client]
    since = [(at, ms + at - max((beat for beat in beats if beat <= at), default=at)) for at, ms in vanished]
    sharp = [(at, ms) for at, ms in since if GONE - STALL <= ms and at + ms < view.trace.end]
    yield told(KIND, release, "as-long", what, 0, sharp, can=True)
    dead = [at for at in kills if at + SEEN < view.trace.end and not restarts(view, broker, at)]
    dead = [at for at in dead if not view.trace.delayed(broker, at, at + SEEN)]  # a vanished host closes no connection
    dead = [at for at in dead if _is_listed(lists, client, at)]
    left: list[Bad] = [(at, None) for at in dead if _is_listed(lists, client, at + SEEN)]
    yield told(KIND, release, "at-once", "a broker listed a member whose process had died", len(dead), left)
    # Where the broker did not list the member at the end, the shutdown or crash changed nothing: no chance.
    begun = [event.at for event in view.trace.kind(ShutdownBegin, who)]
    ends = [event.at for event in view.trace.kind(ShutdownEnd, who) if event.at + SEEN < view.trace.end]
    ends = [at for at in ends if not any(begin <= at <= end for begin, end in view.frozen(broker))]
    byes = [at for at in ends if any(_is_listed(lists, client, one) for one in begun if one <= at)]
    trailed = [at for at in byes if _trails(view, broker, group, client, at + SEEN)]
    left = [(at, None) for at in byes if at not in trailed and _is_listed(lists, client, at + SEEN)]
    what, chances = "a broker still listed a member after its shutdown", len(byes) - len(trailed)
    yield told(KIND, release, "good-bye", what, chances, left)
    again = [(at, _listed_for(view, lists, client, at)) for at in trailed if _is_listed(lists, client, at + SEEN)]
    words = f"{what}, because it registered a heartbeat after the unregistration"
    yield told(KIND, release, "good-bye", words, 0, again, variants=("without-in-flight",))
    stopped = [at for at in kills if _is_listed(lists, client, at)] + byes
    gone = [at for at in stopped if at + GONE + SEEN < view.trace.end]
    left = [(at, None) for at in gone if _is_listed(lists, client, at + GONE + SEEN)]
    yield told(KIND, release, "gone", "a broker still listed a member 130 s after its end", len(gone), left)
    limit = number(DEFAULTS.beat) + STALL
    begun = [event.at for event in view.trace.kind(Started, who)]
    # Members learn of a broker that starts for the first time only by a route poll.
    begun += [event.at for event in view.trace.kind(BrokerStarted, broker)[1:] if begun and event.at > begun[0]]
    begun = [at for at in begun if at + limit < view.leaves(who) and not _away(view, broker, at, at + limit)]
    begun = [at for at in begun if _beats_by(view, broker, who, at + limit - 2 * LOOK)]
    late: list[Bad] = []
    for at in begun:
        rows = [(when, row) for when, row in lists if when >= _life(view, broker, at)]
        late += [(at, None)] * (not any(_is_listed(rows, client, at + ms) for ms in range(0, limit, LOOK)))
    yield told(KIND, release, "again", "a broker did not list a live member within 30 s", len(begun), late)
    what = "a live member was not listed for 30 s after a scan had removed it"
    unheard = _unheard(view, broker, who, client)
    yield told(KIND, release, "again", what, 0, unheard, variants=("without-heartbeats",))
    what = "a broker listed a member's earlier connection 130 s after the last heartbeat on it"
    yield told(KIND, release, "once-again", what, *_earlier(view, broker, who))
    yield told(KIND, release, "anew", "a member's new connection was not listed at once", *_anew(view, broker, who))


def _is_listed(lists: list[tuple[int, frozenset[tuple[str, int]]]], client: str, at: int) -> bool:
    row = next((row for when, row in reversed(lists) if when <= at), frozenset())
    return any(name == client for name, _ in row)


def _trails(view: View, broker: str, group: str, client: str, until: int) -> bool:
    """Return True if a broker answered a heartbeat of a client after its unregistration, by the time ``until``."""
    own = [one for one in view.trace.kind(Answered, broker) if one.asked.client_id == client and one.at <= until]
    byes = [one.at for one in own if one.code == BYE and one.asked.consumer_group == group]
    beats = [one.at for one in own if one.code == BEAT and any(its.group == group for its in one.asked.groups or ())]
    return any(bye <= beat for bye in byes[-1:] for beat in beats)


def _listed_for(view: View, lists: list[tuple[int, frozenset[tuple[str, int]]]], client: str, at: int) -> int:
    """Return for how many ms after the time ``at`` the broker still listed a client."""
    rows = ((when, row) for when, row in lists if when >= at)
    return next((when for when, row in rows if all(name != client for name, _ in row)), view.trace.end) - at


def _away(view: View, broker: str, since: int, until: int) -> bool:
    first = min((event.at for event in view.trace.kind(BrokerStarted, broker)), default=0)
    return since < first or any(begin <= until and since < end for begin, end in view.gone(broker))


def _life(view: View, broker: str, at: int) -> int:
    """Return the time of the last start of a broker's process before the time ``at``."""
    return max((event.at for event in view.trace.kind(BrokerStarting, broker) if event.at <= at), default=0)


def _beats_by(view: View, broker: str, who: str, until: int) -> bool:
    """Return True if the broker's process of the time ``until`` had registered a heartbeat of a consumer."""
    since = _life(view, broker, until)
    own = (call.answered for call in view.asked(who, BEAT) if call.answered and call.broker == broker)
    return any(since <= beat.at <= until for beat in own)


def _anew(view: View, broker: str, who: str) -> tuple[int, list[Bad]]:
    """Check how soon the broker listed a consumer that reconnected to the same broker process."""
    group = view.trace.consumers[who].group
    first = _first_asked(view, broker, who)
    chances, bad, known = 0, list[Bad](), list[int]()
    made = sorted(first.items(), key=lambda one: one[1].ask.at)
    for place, (port, call) in enumerate(made, start=1):
        at, later = call.ask.at, made[place][1].ask.at if place < len(made) else view.trace.end
        stays = at + SEEN < min(later, view.leaves(who))
        if any(one >= _life(view, broker, at) for one in known) and stays and _can_greet(view, who, call):
            chances += 1
            number_ = int(port.rpartition(":")[2])
            when = next((row for row, its in view.lists(broker, group) if any(p == number_ for _, p in its)), None)
            late = (view.trace.end if when is None else when) - at
            bad += [(at, late)] * (late > SEEN)
        known.append(at)
    return chances, bad


def _can_greet(view: View, who: str, first: Call) -> bool:
    """Return True if a heartbeat on a new connection could be registered at once.

    ``first``: the first request on the connection. The broker was late if its answer to the heartbeat took longer than
    ``STALL``, or never came. Without a heartbeat, its lock must have been free.
    """
    at, broker = first.ask.at, first.broker
    beats = [call for call in view.asked(who, BEAT) if call.ask.to == first.ask.to]
    sent = [call for call in beats if at - LOOK <= call.ask.at <= at + STALL and call.port in ("", first.port)]
    if not sent:
        return not _beating(view, who, first.port, at) and not view.trace.stood(who, at - STALL, at + SEEN)
    gone = any(begin <= at + SEEN and at <= end for begin, end in view.gone(broker))
    return not gone and any(call.answer and call.answer.at - at <= STALL for call in sent)


def _beating(view: View, who: str, port: str, at: int) -> bool:
    """Return True if a consumer was sending a heartbeat on another connection, and so held its heartbeat lock."""
    others = (call for call in view.asked(who, BEAT) if call.port != port and call.ask.at <= at)
    return any(at <= (call.answer.at if call.answer else call.ask.at + BEAT_TIMEOUT) for call in others)


def _first_asked(view: View, broker: str, who: str) -> dict[str, Call]:
    """Return the first request on each connection of a consumer to a broker, by the client's port."""
    first: dict[str, Call] = {}
    for call in view.requests.all[who]:
        if call.port and call.broker == broker:
            first.setdefault(call.port, call)
    return first


def _unheard(view: View, broker: str, who: str, client: str) -> list[Bad]:
    """Return times at which a live consumer was removed and not listed again before its next heartbeat was due."""
    limit, bad = number(DEFAULTS.beat) + SEEN, list[Bad]()
    lists = view.lists(broker, view.trace.consumers[who].group)
    made = [call.ask.at for call in _first_asked(view, broker, who).values()]
    for place, (at, row) in enumerate(lists[1:], start=1):
        there, before = (any(name == client for name, _ in one) for one in (row, lists[place - 1][1]))
        steady = not restarts(view, broker, at) and not view.trace.ending(broker, at)
        if before and not there and at + limit < view.leaves(who) and steady:
            back = next((when for when, its in lists[place:] if any(name == client for name, _ in its)), view.trace.end)
            until = min([back, *(one for one in made if one > at)])
            bad += [(at, until - at)] * (until - at > limit)
    return bad


def _earlier(view: View, broker: str, who: str) -> tuple[int, list[Bad]]:
    """Check whether the broker still lists a consumer's earlier connections long after their last heartbeat."""
    chances, bad = 0, list[Bad]()
    lists = view.lists(broker, view.trace.consumers[who].group)
    first = {port: call.ask.at for port, call in _first_asked(view, broker, who).items()}
    latest = max(first.values(), default=0)
    for port in (port for port, at in first.items() if at < latest):
        beats = [one.answered.at for one in view.asked(who, BEAT) if one.port == port and one.answered]
        due = max(beats, default=first[port]) + GONE + SEEN
        if beats and due < view.trace.end and not any(first[port] <= at <= due for at in view.trace.killed(broker)):
            chances += 1
            row = next((row for when, row in reversed(lists) if when <= due), frozenset())
            bad += [(due, None)] * any(number_ == int(port.rpartition(":")[2]) for _, number_ in row)
    return chances, bad
