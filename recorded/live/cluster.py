"""Start and control a name server, brokers, a producer and consumers on loopback."""

import asyncio
import signal
import threading
import time
from collections.abc import Coroutine, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from rebalance_proofs.recorded.live import jvms, settings
from rebalance_proofs.recorded.live.distribution import Distribution
from rebalance_proofs.recorded.live.jvms import UP, Jvms
from rebalance_proofs.recorded.live.processes import Processes
from rebalance_proofs.recorded.live.scenario import Member, Scenario
from rebalance_proofs.recorded.live.settings import LOOPBACK, Ports
from rebalance_proofs.recorded.live.watch import Log, Watch

# TCP proxy between clients and a broker, which can delay all traffic.

PIECE = 65_536
SECONDS = 10.0
"""Seconds within which the proxy must start, and within which it must end."""


class Proxy:
    """Context manager that forwards connections from ``port`` to ``target`` on loopback.

    It has its own thread.
    """

    def __init__(self, port: int, target: int) -> None:
        self._port, self._target = port, target
        self._delay = 0.0
        self._open = asyncio.Event()
        self._open.set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"proxy-{port}", daemon=True)

    def __enter__(self) -> "Proxy":
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._connected, LOOPBACK, self._port, reuse_address=True))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=SECONDS)
        self._loop.close()

    def delay(self, seconds: float) -> None:
        """Delay everything that is sent from now on by this time; the order stays the same."""
        self._delay = seconds

    def hold(self, held: bool) -> None:
        """Let nothing pass, not even new connections, or let everything pass again that was held."""
        self._loop.call_soon_threadsafe(self._open.clear if held else self._open.set)

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    async def _end(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=SECONDS / 2)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Connect a client to the broker, or abort the connection if the broker is down."""
        await self._open.wait()
        try:
            there, back = await asyncio.open_connection(LOOPBACK, self._target)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        except asyncio.CancelledError:
            pass  # the proxy is being closed
        finally:
            for end in (writer, back):
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one direction of a connection until it ends, then close the other end."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sending = asyncio.ensure_future(self._send(pieces, writer))
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                pieces.put_nowait((self._loop.time() + self._delay, piece))
        pieces.put_nowait((self._loop.time() + self._delay, b""))
        await sending

    async def _send(self, pieces: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while True:
                due, piece = await pieces.get()
                if (wait := due - self._loop.time()) > 0:
                    await asyncio.sleep(wait)
                await self._open.wait()
                if not piece:
                    break
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()


NAME_SERVER, PRODUCER = "ns", "p"
END = 120.0
"""Longest time in seconds for ``shutdown()``, and for a broker to end after SIGTERM."""
RETRIES = 4
"""Maximum number of restarts of a consumer whose ``start()`` threw."""
START_FAILED = 3
"""Exit status of a consumer process whose ``start()`` threw."""
FAST, HA = -2, 1
"""Differences between a broker's two further ports and its main port."""


class Cluster:
    """Context manager for the processes of one run of a scenario."""

    def __init__(
        self,
        scenario: Scenario,
        java: str,
        client: Distribution,
        server: Distribution,
        records: Path,
        log: Log,
        members: Mapping[str, Distribution] | None = None,
    ) -> None:
        self.scenario, self.log = scenario, log
        self._java, self._client, self._server, self._records = java, client, server, records
        self._members = members or {}
        self.watch = Watch(records, {name: member.group for name, member in scenario.members.items()})
        self._stack = ExitStack()
        self._proxies: dict[str, Proxy] = {}
        self._ports: dict[str, int] = {}
        self._topics = dict(scenario.topics)
        self.alive: set[str] = set()
        """Names of consumers that have joined and have neither left nor been killed."""

    def __enter__(self) -> "Cluster":
        with ExitStack() as stack:
            self._processes = stack.enter_context(Processes())
            self._jvms = Jvms(self._java, self._processes, self.watch)
            ports = stack.enter_context(Ports())
            self._ports[NAME_SERVER] = ports.reserve()
            for broker in self.scenario.broker_names:
                self._ports[broker] = ports.reserve(FAST, HA)
                if broker in self.scenario.delayed:
                    front = ports.reserve()
                    self._proxies[broker] = stack.enter_context(Proxy(front, self._ports[broker]))
                    self._ports[f"front of {broker}"] = front
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    @property
    def home(self) -> Path:
        """The folder that has one subfolder for each process."""
        return self._processes.folder

    @property
    def _name_servers(self) -> str:
        return f"{LOOPBACK}:{self._ports[NAME_SERVER]}"

    def up(self) -> None:
        """Start the name server, the brokers, and the producer, and create the topics.

        Raises ``LiveError``.
        """
        home = self.home / NAME_SERVER
        settings.write_logging(home, "namesrv")
        properties = settings.name_server(home, self._ports[NAME_SERVER])
        path = settings.write_properties(home / "conf" / "ns.properties", properties)
        main = "org.apache.rocketmq.namesrv.NamesrvStartup"
        self._start_server(NAME_SERVER, main, ["-c", str(path)])
        self.log.say("start-name-server")
        self._jvms.listens(NAME_SERVER, self._ports[NAME_SERVER])
        there = [broker for broker in self.scenario.broker_names if broker not in self.scenario.late]
        for broker in there:
            self.start_broker(broker, first=True)
        for broker in there:
            self._jvms.until(broker, "broker-started", 1)
        send = self.scenario.send
        topics = ",".join(self.scenario.topics)
        options = {"topics": topics, "rate": send.rate, "tags": ",".join(send.tags)}
        self._start_client(PRODUCER, "live.Producer", options, {})
        self._jvms.until(PRODUCER, "producer-started", 1)
        for topic, queues in self._topics.items():
            self.queues(topic, queues)
        self._processes.tell(PRODUCER, "send")
        self.log.say("start-producer", topics=topics, rate=send.rate, tags=options["tags"])
        self.watch.until(lambda: bool(self.watch.sent), UP, "no message could be sent")

    def start_broker(self, who: str, first: bool = False) -> None:
        """Start a broker; except at first, wait until it serves requests, and has the topics if it joins later."""
        home = self.home / who
        path = home / "conf" / "broker.properties"
        joins = not first and not path.exists()
        if first or joins:
            settings.write_logging(home, "broker")
            more = self.scenario.broker
            settings.write_properties(path, settings.broker(home, who, self._ports[who], self._name_servers, more))
        options = [f"out={self._records / who}.jsonl", f"who={who}", f"conf={path}"]
        if who in self._proxies:
            options.append(f"advertise={self._ports[f'front of {who}']}")
        started = self.watch.count(who, "broker-started")
        self._start_server(who, "live.Broker", options)
        setters = {f"set_{key}": value for key, value in self.scenario.broker.items()}
        self.log.say("start-broker", of=who, **setters)
        if not first:
            self._jvms.until(who, "broker-started", started + 1)
        for topic, queues in list(self._topics.items()) if joins else ():
            self.queues(topic, queues)

    def signal_broker(self, who: str, number: signal.Signals) -> None:
        """Send a signal to a broker's process."""
        self.log.say("signal", of=who, signal=number.name)
        self._processes.signal(who, number)

    def end_broker(self, who: str, number: signal.Signals) -> None:
        """End a broker with a signal, and wait for its end."""
        self.log.say("signal", of=who, signal=number.name)
        self._processes.signal(who, number)
        self._processes.wait(who, END)
        self.log.say("broker-ended", of=who)

    def delay(self, who: str, ms: int) -> None:
        """Delay all messages between clients and a broker by ``ms``, in each direction."""
        self._proxies[who].delay(ms / 1000)
        self.log.say("delay", of=who, ms=ms)

    def partition(self, who: str, held: bool) -> None:
        """Let nothing pass between clients and a broker, or let everything pass again."""
        self._proxies[who].hold(held)
        self.log.say("partition", of=who, held=held)

    def reset(self, group: str, topic: str, to: str | float) -> None:
        """Ask all brokers of a topic to reset a group's offsets."""
        asked = self.watch.count(PRODUCER, "reset-asked")
        times = {"first": 0, "last": -1}
        at = times[to] if isinstance(to, str) else int((time.time() - to) * 1000)
        self.log.say("reset", group=group, topic=topic, timestamp=at)
        self._processes.tell(PRODUCER, f"reset {group} {topic} {at}")
        self._jvms.until(PRODUCER, "reset-asked", asked + 1)

    def queues(self, topic: str, number: int) -> None:
        """Create a topic with ``number`` queues, or give it more queues."""
        made = self.watch.count(PRODUCER, "topic")
        self._topics[topic] = number
        self._processes.tell(PRODUCER, f"create {topic} {number}")
        self._jvms.until(PRODUCER, "topic", made + 1)
        self.log.say("topics", spec=f"{topic}:{number}")

    def end_sending(self) -> None:
        """Stop the producer's sending of messages."""
        self._processes.tell(PRODUCER, "stop")
        self.log.say("stop-producer")
        self._jvms.until(PRODUCER, "sending-ended", 1)

    def start_member(self, who: str, *, hold: bool = False) -> None:
        """Start a consumer's process; it joins at once or, with ``hold``, waits for a command."""
        member = self.scenario.members[who]
        options: dict[str, object] = {
            "id": member.id or who,
            "group": member.group,
            "mode": member.mode,
            "ms": member.ms,
            "sub": member.sub,
            "strategy": member.strategy,
            "from": member.from_,
            **({"hold": 1} if hold else {}),
            **({"produces": 1} if member.produces else {}),
        }
        props = {key: str(value) for key, value in member.props.items()}
        setters = {key: str(value) for key, value in member.set.items()}
        # only options that differ from the defaults are recorded
        usual = Member()
        told = {
            key: value
            for key, value in options.items()
            if key in ("id", "ms", "hold", "produces") or value != getattr(usual, "from_" if key == "from" else key)
        }
        self.log.say(
            "start-consumer",
            of=who,
            props=props or None,
            **told,
            **{f"set_{key}": value for key, value in setters.items()},
        )
        options |= {f"set.{key}": value for key, value in setters.items()}
        self._start_client(who, "live.Member", options, props)

    def joined(self, who: str) -> None:
        """Wait until a consumer's ``start()`` has returned.

        Restart the process if ``start()`` threw.
        """
        for _ in range(RETRIES):
            self._jvms.until(who, "started", 1, or_ended=START_FAILED)
            if self.watch.count(who, "started"):
                break
            self._processes.kill(who)
            self.log.say("start-again", of=who)
            self.start_member(who)
        else:
            self._jvms.until(who, "started", 1)
        self.alive.add(who)

    def tell(self, who: str, line: str, *, event: str | None = None) -> None:
        """Send a command to a consumer, and wait until it records ``event`` if one is given."""
        before = self.watch.count(who, event) if event else 0
        self.log.say(line.split()[0], of=who, line=line)
        self._processes.tell(who, line)
        if event:
            self._jvms.until(who, event, before + 1, seconds=END)

    def ready(self, who: str) -> None:
        """Wait until a consumer's process that was started with ``hold`` is ready."""
        self._jvms.until(who, "ready", 1)

    def is_held(self, who: str) -> bool:
        """Return True if a consumer's process waits for the command to start."""
        return self._processes.runs(who)

    def quit(self, who: str) -> None:
        """End a consumer's process without a signal, by a command."""
        self.alive.discard(who)
        self.tell(who, "quit")
        self._processes.wait(who, END)
        self.log.say("ended", of=who)

    def signal(self, who: str, number: signal.Signals) -> None:
        """Send a signal to a consumer's process."""
        self.log.say("signal", of=who, signal=number.name)
        if number is signal.SIGKILL:
            self.alive.discard(who)
            self._processes.kill(who)
        else:
            self._processes.signal(who, number)

    def _start_server(self, who: str, main: str, arguments: list[str]) -> None:
        home = self.home / who
        self._jvms.start(who, main, arguments, self._server, jvms.BROKER_MB, {"rocketmq.home.dir": str(home)})

    def _start_client(self, who: str, main: str, options: Mapping[str, object], props: Mapping[str, str]) -> None:
        home = self.home / who
        settings.write_logging(home, "client")
        said = {"out": f"{self._records / who}.jsonl", "who": who, "ns": self._name_servers, **options}
        arguments = [f"{key}={value}" for key, value in said.items()]
        self._jvms.start(who, main, arguments, self._members.get(who, self._client), jvms.MEMBER_MB, props)
