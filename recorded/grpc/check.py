"""Check a recording with gRPC members: each follows the model of its client, step by step.

The model is ``model.receiving``. After each answer, a member's table has the model's process queues, and each of them
the model's number of receive loops. So many receive requests are in flight, except at a limit of the client's threads.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.receiving.sdks import PushConsumer, Queue
from rebalance_proofs.recorded.groups.record import RecordingError
from rebalance_proofs.recorded.grpc import events as of
from rebalance_proofs.recorded.grpc.events import Event, Recording
from rebalance_proofs.recorded.grpc.scenarios import JAVA, REMOTING
from rebalance_proofs.recorded.packages.install import NAMES

SHIPPED = Path(__file__).resolve().parent / "proxy-5.5.0"
"""Folder of the recordings that come with the package."""
ALL = -1
"""The number of a queue that means all queues of its broker."""


def shipped() -> dict[str, Path]:
    """Return the recordings that come with the package: ``proxy-5.5.0/grpc_join`` -> its folder."""
    return {f"{SHIPPED.name}/{path.name}": path for path in sorted(SHIPPED.iterdir())}


def model(client: str, version: str) -> type[PushConsumer]:
    """Return the model of a member's client. Raises ``RecordingError``."""
    kind = NAMES.get(client)
    if kind is None or version not in kind.models:
        raise RecordingError(f"{client} {version} is not modelled")
    return kind.models[version]


@dataclass
class Entry:
    """A recorded process queue."""

    q: str
    loops: int = 0
    flying: int = 0
    """Receive requests that are in flight."""
    peak: int = 0
    """Largest number of them."""
    dropped: bool = False
    waiting: int = 0
    """When it was dropped: loops that had checked this, and waited for a thread to send their next request."""


@dataclass(frozen=True)
class Problem:
    """An event that the model excludes."""

    who: str
    at: int
    """Milliseconds since the start of the recording."""
    text: str

    def __str__(self) -> str:
        return f"{self.who} at {self.at / 1000:.1f} s: {self.text}"


@dataclass
class Follower:
    """Follows one member's events with the model."""

    who: str
    consumer: PushConsumer
    start: int
    problems: list[Problem]
    entries: dict[int, Entry] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    """Queue -> the model's number of it."""
    received: set[str] = field(default_factory=set)
    compared: int = 0
    """Steps after which the tables were compared."""
    workers: int | None = None
    ending: bool = False
    ended: bool = False

    def follow(self, name: str, event: Event) -> None:
        """Take an event."""
        match event:
            case of.Started():
                self.workers = event.workers
            case of.Answer():
                self.consumer.on_success(event.topic, frozenset(map(self._modelled, event.queues)))
            case of.Failed():
                self.consumer.on_failure(event.topic)
            case of.Create():
                self.entries[event.p] = Entry(event.q)
            case of.OfQueue():
                self._of_queue(name, event)
            case of.Received():
                self.received |= set(event.keys)
                entry = self._entry(event, event.p)
                entry.flying -= 1
                if entry.flying < 0:
                    self._problem(event, f"process queue {event.p} ends a request that it has not begun")
                if self.ended and event.error is None:  # tasks that waited for a thread still begin, and fail
                    self._problem(event, f"a request of {entry.q} succeeds, but the client is shut down")
            case of.Table():
                self._compare(event)
            case of.Message() if event.key not in self.received:
                self._problem(event, f"the listener gets the message {event.key}, which was not received")
        if name in ("shutdown", "shutdown-end"):
            self.ending, self.ended = True, name == "shutdown-end"

    def finish(self, at: int) -> None:
        """Compare the requests in flight with the receive loops, at the end."""
        loops = sum(entry.loops for entry in self.entries.values() if not entry.dropped)
        limited = self.workers is not None and loops > self.workers
        for entry in self.entries.values():
            if entry.peak != entry.loops and not entry.dropped and not limited:
                had = f"at most {entry.peak} receive requests in flight, and {entry.loops} receive loops"
                self._say(at, f"{entry.q} had {had}")

    def _modelled(self, queue: str) -> Queue:
        """Return the model's name of a queue."""
        return queue.partition(":")[0], self.numbers.setdefault(queue, len(self.numbers))

    def _entry(self, event: Event, number: int) -> Entry:
        if number not in self.entries:
            raise RecordingError(f"{self.who}: event {event.n} is about a process queue that was not created")
        return self.entries[number]

    def _of_queue(self, name: str, event: of.OfQueue) -> None:
        entry = self._entry(event, event.p)
        match name:
            case "drop":
                entry.dropped = True
                entry.waiting = 0 if self.workers is None else entry.loops - entry.flying
            case "begin":
                entry.loops += 1
            case "receive":
                entry.flying += 1
                entry.peak = max(entry.peak, entry.flying)
                if entry.flying > entry.loops:
                    self._problem(event, f"{entry.q} has {entry.flying} requests, and {entry.loops} loops")
            case "end" if not entry.dropped and not self.ending:
                self._problem(event, f"a receive loop of {entry.q} ends, which is not dropped")
        if name == "receive" and entry.dropped and entry.waiting:
            entry.waiting -= 1
        elif name in ("begin", "receive") and entry.dropped:
            self._problem(event, f"{name} of process queue {event.p}, which is dropped")
        if name == "begin" and self.ended:
            self._problem(event, f"a receive loop of {entry.q} begins, but the client is shut down")

    def _compare(self, event: of.Table) -> None:
        """Compare the table with the model's, with the receive loops of each process queue."""
        if self.ending:
            return  # the shutdown's drops and the step are concurrent
        self.compared += 1
        modelled = {queue: entry.loops for queue, entry in self.consumer.process_queue_table.items()}
        recorded = {self._modelled(queue): self._entry(event, p).loops for queue, p in event.table.items()}
        for queue, number in self.numbers.items():
            key = queue.partition(":")[0], number
            loops, wanted = recorded.get(key), modelled.get(key)
            if (loops is None) != (wanted is None):
                self._problem(event, f"{queue} is in the {'recorded' if wanted is None else 'model'} table only")
            elif loops != wanted:
                self._problem(event, f"{queue} has {loops} receive loops, and {wanted} in the model")
        held = set(event.table.values())
        strays = sum(one.loops for p, one in self.entries.items() if p not in held and not one.dropped)
        if strays != sum(one.loops for one in self.consumer.removed):
            self._problem(event, f"replaced process queues have {strays} receive loops")

    def _problem(self, event: Event, text: str) -> None:
        self._say(event.at - self.start, text)

    def _say(self, at: int, text: str) -> None:
        self.problems.append(Problem(self.who, at, text))


@dataclass
class Puller:
    """Follows the shares of a remoting member with the strategy AVG, which knows nothing of the proxy."""

    who: str
    start: int
    problems: list[Problem]
    shares: dict[str, of.Share] = field(default_factory=dict)
    """Topic -> the last share that is not empty."""
    had: set[str] = field(default_factory=set)
    """The queues of all shares."""
    compared: int = 0

    def follow(self, event: Event) -> None:
        """Take an event."""
        match event:
            case of.Share():
                ids = [str(place) for place in range(event.consumers)]
                found = AVERAGELY.allocate(str(event.place), [*map(_queue, event.all)], ids)
                wanted = [_named(one) for one in found or ()]
                self.compared += 1
                if [*event.mine] != wanted:
                    mine, modelled = (", ".join(one) or "no queue" for one in (event.mine, wanted))
                    self._problem(event, f"it allocates {mine}, and {modelled} in the model")
                self.had |= {*event.mine}
                if event.mine:
                    self.shares[event.topic] = event
            case of.Message() if self.compared and event.q not in self.had:
                self._problem(event, f"the listener gets a message of {event.q}, which is not in its shares")

    def _problem(self, event: Event, text: str) -> None:
        self.problems.append(Problem(self.who, event.at - self.start, text))


def _queue(name: str) -> MessageQueue:
    topic, broker, number = name.split(":")
    return MessageQueue(topic, broker, int(number))


def _named(queue: MessageQueue) -> str:
    return f"{queue.topic}:{queue.broker_name}:{queue.queue_id}"


@dataclass(frozen=True)
class Checked:
    """What a recording shows, and what the model excludes."""

    recording: Recording
    start: int
    members: Mapping[str, of.Join]
    followers: Mapping[str, Follower]
    problems: Sequence[Problem]
    unfinished: Sequence[Problem]
    """Those of messages that no listener has finished."""
    again: Mapping[str, int]
    """Key of a message that a killed member had not finished -> milliseconds until another listener got it."""
    pullers: Mapping[str, Puller] = field(default_factory=dict)
    """The remoting members."""

    @property
    def loops(self) -> Iterator[tuple[str, Entry]]:
        """Each member's process queues that were not dropped before its shutdown."""
        for who, follower in self.followers.items():
            yield from ((who, entry) for entry in follower.entries.values() if entry.loops)


def checked(recording: Recording) -> Checked:
    """Follow all members of a recording. Raises ``RecordingError``."""
    start = recording.driver[0][1].at
    problems: list[Problem] = []
    members = {event.of: event for _, event in recording.driver if isinstance(event, of.Join)}
    followers, pullers = {}, {}
    for who, join in members.items():
        if join.client == REMOTING:
            puller = pullers[who] = Puller(who, start, problems)
            for _, event in recording.events.get(who, ()):
                puller.follow(event)
            continue
        consumer = model(join.client, join.version)()
        consumer.subscription_expressions = set(join.topics)
        follower = followers[who] = Follower(who, consumer, start, problems)
        each = recording.events.get(who, ())
        for name, event in each:
            follower.follow(name, event)
        follower.finish(each[-1][1].at - start if each else 0)
    unfinished = [*_messages(recording, start)]
    problems = sorted((*problems, *_answers(recording, start), *unfinished), key=lambda one: one.at)
    return Checked(recording, start, members, followers, problems, unfinished, _again(recording), pullers)


def _answers(recording: Recording, start: int) -> Iterator[Problem]:
    """Compare each answer with the proxy's rule: each member gets all queues.

    They come as one queue of each broker, and one by one for an ordered group. After a change of a topic's number of
    queues or of the brokers, a member gets the old queues until it gets the new ones.
    """
    every = _assigned(recording)
    for who, each in recording.events.items():
        reached: Counter[str] = Counter()
        for _, event in each:
            if isinstance(event, of.Answer):
                topic = event.topic
                allowed = [{f"{topic}:{queue}" for queue in queues} for at, queues in every[topic] if at <= event.at]
                if set(event.queues) in allowed[reached[topic] :]:
                    reached[topic] = allowed.index(set(event.queues), reached[topic])
                else:
                    queues = ", ".join(sorted(event.queues)) or f"no queue of {topic}"
                    yield Problem(who, event.at - start, f"the proxy assigns {queues}")


def _assigned(recording: Recording) -> Mapping[str, list[tuple[int, list[str]]]]:
    """Return topic -> the queues to assign, such as ``b0:2`` and ``b0:-1``, each time that they changed."""
    ordered = any(isinstance(event, of.Grpc) and event.ordered for _, event in recording.driver)
    found: defaultdict[str, list[tuple[int, list[str]]]] = defaultdict(list)
    numbers: dict[str, int] = {}
    every: set[str] = set()
    brokers: set[str] = set()
    for name, event in recording.driver:
        if isinstance(event, of.Servers):
            numbers.update(event.topics)
            brokers = every = {f"b{number}" for number in range(event.brokers or 1)}
        elif isinstance(event, of.Queues):
            numbers[event.topic] = event.to
        elif isinstance(event, of.Signal) and name == "stop-server":
            brokers = brokers - {event.of}
        elif isinstance(event, of.Signal) and name == "start-server":
            brokers = brokers | ({event.of} & every)
        else:
            continue
        for topic, number in numbers.items():
            each = range(number) if ordered else (ALL,)
            found[topic].append((event.at, [f"{broker}:{one}" for broker in brokers for one in each]))
    return found


def _messages(recording: Recording, start: int) -> Iterator[Problem]:
    """Yield a problem for each message that no listener has finished."""
    every = [(name, event) for each in recording.events.values() for name, event in each]
    done = {event.key for name, event in every if name == "done" and isinstance(event, of.Key)}
    for name, event in every:
        if name == "sent" and isinstance(event, of.Key) and event.key not in done:
            yield Problem(event.who, event.at - start, f"no listener has finished the message {event.key}")


def _again(recording: Recording) -> dict[str, int]:
    """Return the messages that killed members had not finished, with the time until another listener got them."""
    found: dict[str, int] = {}
    for _, killed in recording.driver:
        if not isinstance(killed, of.Signal) or killed.signal is None:
            continue
        mine = recording.events.get(killed.of, ())
        had = {key for _, event in mine if isinstance(event, of.Received) for key in event.keys}
        had -= {event.key for name, event in mine if name == "done" and isinstance(event, of.Key)}
        for who, each in recording.events.items():
            for _, event in each:
                if who != killed.of and isinstance(event, of.Message) and event.key in had and event.at >= killed.at:
                    found[event.key] = min(found.get(event.key, event.at - killed.at), event.at - killed.at)
    return found


def shared(found: Checked, who: str) -> tuple[int, int, int]:
    """Return how many messages a remoting member got, and of them gRPC members, and these more than once.

    Only first deliveries count: a message that comes again after a time-out or failure has another attempt number.
    """
    times: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, each in found.recording.events.items():
        for _, event in each:
            if isinstance(event, of.Message) and event.attempt == 1:
                times[name][event.key] += 1
    grpc = sum((times[name] for name in found.followers), Counter[str]())
    mine = times[who].keys()
    return len(mine), sum(grpc[key] > 0 for key in mine), sum(grpc[key] > 1 for key in mine)


def lines(name: str, found: Checked, faults: Mapping[type[PushConsumer], str]) -> Iterator[str]:
    """Yield the report about a recording.

    ``faults``: model of a client -> id of the refuted claim that a queue never has two receive loops.
    """
    every = [(kind, event) for each in found.recording.events.values() for kind, event in each]
    count = Counter(kind for kind, _ in every)
    release = next((event.release for _, event in every if isinstance(event, of.Servers)), "?")
    last = max(event.at for _, event in every) - found.start
    yield f"{name} (RocketMQ {release} with a proxy): {count['sent']} messages, {last / 1000:.0f} s"
    for who, puller in found.pullers.items():
        yield f"  {who} (remoting Java {found.members[who].version}): {puller.compared} shares compared"
        for topic, share in puller.shares.items():
            yield f"    {topic}: {', '.join(share.mine)} of {len(share.all)} queues for {share.consumers} consumers"
        got, both, again = shared(found, who)
        yield f"    first deliveries: {got}, also to gRPC members: {both}, to them more than once: {again}"
    for who, follower in found.followers.items():
        join = found.members[who]
        client = "Java" if join.client == JAVA else "Python"
        yield f"  {who} (gRPC {client} {join.version}): {follower.compared} assignment steps compared"
        for entry in follower.entries.values():
            if entry.loops:
                fault = faults.get(type(follower.consumer), "") if entry.loops > 1 else ""
                known = f" (known fault: {fault})" if fault else ""
                yield f"    {entry.q}: receive loops: {entry.loops}, concurrent requests: {entry.peak}{known}"
    readers: defaultdict[str, set[str]] = defaultdict(set)
    for who, entry in found.loops:
        readers[entry.q].add(who)
    for queue, names in sorted(readers.items()):
        yield f"  Readers of {queue}: {', '.join(sorted(names))}"
    calls = Counter(event.key for _, event in every if isinstance(event, of.Message))
    yield f"  Redelivered messages: {sum(number > 1 for number in calls.values()) or 'none'}"
    if found.again:
        ends = [end(found.again.values()) / 1000 for end in (min, max)]
        span = " to ".join(dict.fromkeys(f"{one:.1f}" for one in ends))
        yield f"  Unfinished messages of a killed member: {len(found.again)}, received again {span} s after the kill"
