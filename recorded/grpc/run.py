"""Run a scenario with gRPC members: start servers and members on loopback, perform the steps, and record."""

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.groups.run import PRODUCER
from rebalance_proofs.recorded.grpc import artifacts
from rebalance_proofs.recorded.grpc.scenarios import PYTHON, REMOTING, Member, Scenario, Step
from rebalance_proofs.recorded.live import jvms, settings
from rebalance_proofs.recorded.live.distribution import Distribution
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.jvms import UP, Jvms
from rebalance_proofs.recorded.live.processes import Processes
from rebalance_proofs.recorded.live.run import keep_logs, pack
from rebalance_proofs.recorded.live.settings import LOOPBACK, Ports
from rebalance_proofs.recorded.live.watch import Log, Watch

GROUP, NAME_SERVER, BROKER, PROXY = "G", "ns", "b0", "x"
PRODUCER_VERSION = "5.1.2"
"""The version of the Python client that sends messages."""
PROXY_MB = 384
CACHE = 5
"""Seconds for which a proxy in cluster mode keeps a topic's route; by default 300."""
MESSAGE = 1 << 16
"""Largest message in bytes: each of the broker's many threads has a buffer for one."""
PATIENCE, END = 120.0, 60.0
"""Seconds until all messages must be consumed, and until a member must have shut down."""
ADMIN = "org.apache.rocketmq.tools.command.MQAdminStartup"
OLDEST = 11
"""Oldest Java version that runs the driver of Java members."""


@dataclass(frozen=True)
class Setup:
    """The Java command, the servers' jars, and the folders of the members' clients."""

    java: str
    release: str
    servers: Path
    clients: Mapping[tuple[str, str], Path]
    """Package and version -> the folder with its packages or jars."""


def setup(java: str, release: str, option: str, scenarios: list[Scenario]) -> Setup:
    """Download what the scenarios need. Raises ``LiveError``."""
    servers = artifacts.proxy(release, option)
    members = [one for scenario in scenarios for one in scenario.members.values()]
    every = {(one.client, one.version): one for one in (*members, Member(PYTHON, PRODUCER_VERSION, ()))}
    folders = {key: artifacts.client(one) for key, one in every.items()}
    for client, version in folders:
        if client in artifacts.CLASSES:
            artifacts.driver(client, version, folders[client, version])
    return Setup(java, release, servers, folders)


class Counts(Watch):
    """Reader of a run's growing files, which knows the messages that were sent and consumed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, {})
        self.keys: dict[str, set[str]] = {"sent": set(), "done": set()}
        """Event -> keys of its messages."""

    def _note(self, who: str, event: Mapping[str, Any]) -> None:
        self._seen[who][event["ev"]] += 1
        if event["ev"] in self.keys:
            self.keys[event["ev"]].add(event["key"])


class Group:
    """Context manager for the processes of one run."""

    def __init__(self, scenario: Scenario, using: Setup, folder: Path, log: Log) -> None:
        self.scenario, self.log = scenario, log
        self._using, self._folder = using, folder
        self.watch = Counts(folder)
        self.alive: list[str] = []

    def __enter__(self) -> "Group":
        with ExitStack() as stack:
            self._processes = stack.enter_context(Processes())
            ports = stack.enter_context(Ports())
            self._ports = {NAME_SERVER: ports.reserve(), PROXY: ports.reserve(1)}
            self._brokers = [f"b{number}" for number in range(self.scenario.brokers)]
            self._ports |= {who: ports.reserve(-2, 1) for who in self._brokers or [BROKER]}
            self._jvms = Jvms(self._using.java, self._processes, self.watch)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    @property
    def home(self) -> Path:
        """The folder with one subfolder for each process."""
        return self._processes.folder

    def _address(self, who: str) -> str:
        return f"{LOOPBACK}:{self._ports[who]}"

    def up(self) -> None:
        """Start name server, brokers, proxy and producer. Raises ``LiveError``."""
        home = self.home / NAME_SERVER
        settings.write_logging(home, "namesrv")
        properties = settings.name_server(home, self._ports[NAME_SERVER])
        path = settings.write_properties(home / "conf" / "ns.properties", properties)
        self._server(NAME_SERVER, "org.apache.rocketmq.namesrv.NamesrvStartup", ["-c", str(path)], 96, {})
        self._jvms.listens(NAME_SERVER, self._ports[NAME_SERVER])
        for who in self._brokers:
            self._start(who)
        self._start(PROXY)
        brokers = self.scenario.brokers or None
        self.log.say("start-servers", release=self._using.release, topics=dict(self.scenario.topics), brokers=brokers)
        options = {"topics": [*self.scenario.topics], "rate": self.scenario.rate, "groups": self.scenario.ordered and 8}
        self._python(PRODUCER, PRODUCER_VERSION, options)
        self.watch.until(lambda: bool(self.watch.keys["sent"]), UP, "no message could be sent")

    def _start(self, who: str) -> None:
        """Start a broker or the proxy, and wait until it listens."""
        if who == PROXY:
            self._proxy()
        else:
            main = "org.apache.rocketmq.broker.BrokerStartup"
            self._server(who, main, ["-c", str(self._broker(who, self.home / who))], jvms.BROKER_MB, {})
        self._jvms.listens(who, self._ports[who])

    def _broker(self, who: str, home: Path) -> Path:
        """Write a broker's files, with topics and group, and return the path of its properties."""
        settings.write_logging(home, "broker")
        more = {"autoCreateTopicEnable": bool(self._brokers), "maxMessageSize": MESSAGE}
        properties = settings.broker(home, who, self._ports[who], self._address(NAME_SERVER), more)
        stored = home / "store" / "config"
        if not stored.exists():  # otherwise it was started before
            self._store(stored)
        return settings.write_properties(home / "conf" / "broker.properties", properties)

    def _proxy(self) -> None:
        """Start a proxy: in local mode, it contains the broker."""
        home = self.home / PROXY
        settings.write_logging(home, "proxy")
        mode = "cluster" if self._brokers else "local"
        config = {
            "rocketMQClusterName": "C",
            "proxyClusterName": "C",
            "namesrvAddr": self._address(NAME_SERVER),
            "proxyMode": mode.upper(),
            "topicRouteServiceCacheExpiredSeconds": CACHE,
            "topicRouteServiceCacheExpiredInSeconds": CACHE,
            "grpcServerPort": self._ports[PROXY],
            "remotingListenPort": self._ports[PROXY] + 1,
            "localServeAddr": LOOPBACK,
        }
        (home / "conf" / "rmq-proxy.json").write_text(json.dumps(config), encoding="utf-8")
        words = ["-pm", mode, "-n", self._address(NAME_SERVER)]
        words += [] if self._brokers else ["-bc", str(self._broker(BROKER, home))]
        props = {"RMQ_PROXY_HOME": str(home), "com.rocketmq.proxy.configPath": str(home / "conf" / "rmq-proxy.json")}
        self._server(PROXY, "org.apache.rocketmq.proxy.ProxyStartup", words, PROXY_MB, props)

    def _store(self, stored: Path) -> None:
        """Write a broker's topics and group."""
        stored.mkdir(parents=True)
        kind = "FIFO" if self.scenario.ordered else "NORMAL"
        topics = {
            topic: {
                "topicName": topic,
                "readQueueNums": queues,
                "writeQueueNums": queues,
                "perm": 6,
                "attributes": {"message.type": kind},
            }
            for topic, queues in self.scenario.topics.items()
        }
        (stored / "topics.json").write_text(json.dumps({"topicConfigTable": topics}), encoding="utf-8")
        group = {"groupName": GROUP, "consumeMessageOrderly": self.scenario.ordered}
        (stored / "subscriptionGroup.json").write_text(
            json.dumps({"subscriptionGroupTable": {GROUP: group}}), encoding="utf-8"
        )

    def _server(self, who: str, main: str, words: list[str], megabytes: int, props: Mapping[str, str]) -> None:
        home = self.home / who
        distribution = Distribution(f"{self._using.servers}/*", self._using.release)
        self._jvms.start(who, main, words, distribution, megabytes, {"rocketmq.home.dir": str(home), **props})

    def _python(self, who: str, version: str, options: Mapping[str, Any]) -> None:
        """Start a Python process with the installed client, and without other packages."""
        home = self.home / who
        said = json.dumps({"endpoints": self._address(PROXY), **options})
        command = [sys.executable, "-S", "-W", "ignore", str(artifacts.PYTHON_MEMBER)]
        path = str(self._using.clients[PYTHON, version])
        records = str(self._folder / f"{who}.jsonl")
        self._processes.start(who, [*command, records, who, said], home, {"PYTHONPATH": path, "HOME": str(home)})
        self._jvms.until(who, "started", 1)

    def join(self, who: str) -> None:
        """Start a member, and wait until its client has started."""
        member = self.scenario.members[who]
        more = {"by_broker": True} if member.by_broker else {}
        self.log.say("join", of=who, client=member.client, version=member.version, topics=[*member.topics], **more)
        if member.client in artifacts.CLASSES:
            lib = self._using.clients[member.client, member.version]
            classes = artifacts.driver(member.client, member.version, lib)
            distribution = Distribution(os.pathsep.join((str(classes), f"{lib}/*")), member.version)
            remoting = member.client == REMOTING
            address = self._address(NAME_SERVER if remoting else PROXY)
            words = [str(self._folder / f"{who}.jsonl"), who, address, GROUP, ",".join(member.topics), str(member.ms)]
            words += ["broker" if member.by_broker else "client"] * remoting
            main = artifacts.main_class(member.client)
            settings.write_logging(self.home / who, "client")
            self._jvms.start(who, main, words, distribution, jvms.MEMBER_MB, {})
            self._jvms.until(who, "started", 1)
        else:
            self._python(who, member.version, {"group": GROUP, "topics": [*member.topics], "ms": member.ms})
        self.alive.append(who)

    def kill(self, who: str) -> None:
        """Kill a member (SIGKILL)."""
        self.log.say("signal", of=who, signal=signal.SIGKILL.name)
        self.alive.remove(who)
        self._processes.kill(who)

    def shutdown(self, *names: str) -> None:
        """Shut members down, at the same time."""
        for who in names:
            self.log.say("shutdown", of=who)
            self.alive.remove(who)
            self._processes.tell(who, "shutdown")
        for who in names:
            self._jvms.until(who, "shutdown-end", 1, seconds=END)

    def queues(self, topic: str, to: int) -> None:
        """Change a topic's number of queues."""
        kind = "FIFO" if self.scenario.ordered else "NORMAL"
        self.log.say("queues", topic=topic, to=to)
        self._admin("updateTopic", "-t", topic, "-r", str(to), "-w", str(to), "-a", f"+message.type={kind}")

    def mode(self, topic: str, mode: str) -> None:
        """Change the topic's message request mode for the group."""
        self.log.say("mode", topic=topic, mode=mode)
        self._admin("setConsumeMode", "-t", topic, "-g", GROUP, "-m", mode, "-q", "0")

    def _admin(self, command: str, *words: str) -> None:
        """Run a command of mqadmin on the broker."""
        where = ["-n", self._address(NAME_SERVER), "-b", self._address(BROKER)]
        self._server("admin", ADMIN, [command, *where, *words], 96, {})
        self._processes.wait("admin", UP)

    def server(self, who: str, *, starts: bool) -> None:
        """Start a broker or the proxy again, or kill it."""
        self.log.say("start-server" if starts else "stop-server", of=who)
        if starts:
            self._start(who)
        else:
            self._processes.kill(who)

    def perform(self, step: Step) -> None:
        """Perform a step, and pause."""
        match step.do:
            case "join":
                for who in step.of:
                    self.join(who)
            case "kill":
                for who in step.of:
                    self.kill(who)
            case "shutdown":
                self.shutdown(*step.of)
            case "queues":
                self.queues(step.of[0], step.to)
            case "mode":
                self.mode(step.of[0], step.mode)
            case "stop-server" | "start-server":
                for who in step.of:
                    self.server(who, starts=step.do == "start-server")
            case _:
                raise TypeError(f"no code performs the step {step.do}")
        self.watch.sleep(step.then)

    def end(self) -> None:
        """Stop sending, wait until every message is consumed, and shut the members down."""
        self._processes.tell(PRODUCER, "stop")
        self._jvms.until(PRODUCER, "stopped", 1)
        with suppress(LiveError):
            keys = self.watch.keys
            self.watch.until(lambda: keys["sent"] <= keys["done"], PATIENCE, "not all messages were consumed")
        self.shutdown(*self.alive)


def run(scenario: Scenario, using: Setup, folder: Path, told: Callable[[str], None]) -> None:
    """Run a scenario, and write its recording into a new folder. Raises ``LiveError``, and ``OSError``."""
    folder = folder.absolute()
    folder.mkdir(parents=True)
    log = Log(folder / "driver.jsonl", told)
    log.say("grpc", scenario=scenario.name, ordered=scenario.ordered)
    try:
        for jar in artifacts.jars(using.servers, using.release):
            log.say("artifact", jar=jar.name, sha256=jar.sha256)
        with Group(scenario, using, folder, log) as group:
            try:
                group.up()
                for step in scenario.steps:
                    group.perform(step)
                group.end()
            except BaseException as error:
                log.say("failed", error=str(error) or type(error).__name__)
                raise
            finally:
                log.say("end")
                keep_logs(group.home, folder / "logs")
    finally:
        log.close()
        for path in folder.glob("*.jsonl"):
            pack(path, folder / f"{path.name}.gz")
