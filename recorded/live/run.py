"""Run one scenario: perform it, record it until it is calm, and compress the recording."""

import gzip
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.cluster.names import topic_of
from rebalance_proofs.recorded.groups.member import subscriptions
from rebalance_proofs.recorded.live import step as steps
from rebalance_proofs.recorded.live.cluster import Cluster
from rebalance_proofs.recorded.live.distribution import Distribution
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.scenario import Scenario
from rebalance_proofs.recorded.live.step import Join, Step, Together, Wait
from rebalance_proofs.recorded.live.valid import check
from rebalance_proofs.recorded.live.watch import LOOK, Log

# Make a scenario smaller while its runs still show the same problem.

QUICKER = 2.0
"""Pauses between steps that are longer than this, in seconds, are halved as well."""


def shrunk(scenario: Scenario, finds: Callable[[Scenario], bool], tries: int) -> Scenario:
    """Return the smallest scenario found within ``tries`` runs for which ``finds`` is true.

    Return the original if no smaller one works. A real group does not always behave the same, so a smaller scenario
    that shows no problem in one run is discarded.
    """
    best = scenario
    left = tries
    progress = True
    while progress:
        progress = False
        for candidate in smaller(best):
            if not left:
                return best
            left -= 1
            if finds(candidate):
                best, progress = candidate, True
                break
    return best


def smaller(scenario: Scenario) -> Iterator[Scenario]:
    """Yield valid scenarios with fewer steps, the smallest first, then with one pause halved."""
    steps = scenario.steps
    size = len(steps)
    while size:
        for begin in range(0, len(steps) - size + 1):
            yield from _sensible(scenario, (*steps[:begin], *steps[begin + size :]))
        size = size // 2 if size > 3 else size - 1
    for place, step in enumerate(steps):
        if step.then > QUICKER:
            halved = replace(step, then=round(step.then / 2, 1))
            yield from _sensible(scenario, (*steps[:place], halved, *steps[place + 1 :]))


def _sensible(scenario: Scenario, steps: tuple[Step, ...]) -> Iterator[Scenario]:
    """Yield the scenario with its steps replaced by ``steps``, if it is valid.

    Steps for consumers that never join are left out.
    """
    joined = {name for step in steps if isinstance(step, Join) for name in step.members}
    kept = tuple(step for step in (_of(joined, step) for step in steps) if step)
    members = {name: member for name, member in scenario.members.items() if name in joined}
    made = replace(scenario, steps=kept, members=members)
    try:
        check(made)
    except ValueError:
        return
    yield made


def _of(joined: set[str], step: Step) -> Step | None:
    """Return the step restricted to consumers in ``joined``; None if the step has none of them."""
    if isinstance(step, Together) or not step.members:
        return step
    left = tuple(name for name in step.members if name in joined)
    if not left:
        return None
    other: dict[str, Any] = {"of": left}
    return step if left == step.members else replace(step, **other)


# Perform the steps of a scenario on a cluster.

RENEWALS = 120.0
"""Seconds within which a consumer must renew its locks.

By default it renews them every 20 s.
"""


def perform(cluster: Cluster, each: Sequence[Step]) -> None:
    """Perform a scenario's steps one after another. Raises ``LiveError``."""
    for step in each:
        _perform(cluster, step)
        cluster.watch.sleep(step.then)


def _perform(cluster: Cluster, step: Step) -> None:
    match step:
        case Together():
            _together(cluster, step)
        case steps.Ready():
            for who in step.members:
                cluster.start_member(who, hold=True)
            for who in step.members:
                cluster.ready(who)
        case steps.Join():
            for who in step.members:
                if cluster.is_held(who):
                    cluster.tell(who, "start")
                else:
                    cluster.start_member(who)
            for who in step.members:
                cluster.joined(who)
        case steps.Renewed():
            _await_renewal(cluster, step.of, step.age)
        case steps.Shutdown():
            _shut_down(cluster, step)
        case steps.Kill():
            for who in step.members:
                cluster.signal(who, signal.SIGKILL)
        case steps.Stop() | steps.Resume():
            _stand_still(cluster, step)
        case steps.Listener():
            for who in step.members:
                cluster.tell(who, f"ms {step.ms}")
        case steps.Subscribe():
            for who in step.members:
                cluster.tell(who, f"subscribe {step.topic} {step.tags}", event="subscribed")
        case steps.Unsubscribe():
            for who in step.members:
                cluster.tell(who, f"unsubscribe {step.topic}", event="unsubscribed")
        case steps.Suspend() | steps.Unsuspend():
            _suspend(cluster, step)
        case steps.Throw():
            for who in step.members:
                kind = "error" if step.error else "exception"
                cluster.tell(who, f"throw {step.where} {step.times} {kind}", event="will-throw")
        case steps.Queues():
            cluster.queues(step.topic, step.to)
        case steps.StopBroker():
            cluster.end_broker(step.of, signal.SIGTERM)
        case steps.KillBroker():
            cluster.end_broker(step.of, signal.SIGKILL)
        case steps.StartBroker():
            cluster.start_broker(step.of)
        case steps.FreezeBroker():
            cluster.signal_broker(step.of, signal.SIGSTOP)
            if step.for_ is not None:
                cluster.watch.sleep(step.for_)
                cluster.signal_broker(step.of, signal.SIGCONT)
        case steps.ThawBroker():
            cluster.signal_broker(step.of, signal.SIGCONT)
        case steps.Partition():
            cluster.partition(step.of, True)
            cluster.watch.sleep(step.for_)
            cluster.partition(step.of, False)
        case steps.Reset():
            cluster.reset(step.group, step.topic, step.to)
        case steps.Delay():
            cluster.delay(step.of, step.ms)
            if step.for_ is not None:
                cluster.watch.sleep(step.for_)
                cluster.delay(step.of, 0)
        case steps.Wait():
            pass
        case _:
            raise TypeError(f"no code performs the step {step.do}")


def _together(cluster: Cluster, step: Together) -> None:
    with ThreadPoolExecutor(len(step.lanes)) as lanes:
        try:
            for lane in as_completed([lanes.submit(perform, cluster, lane) for lane in step.lanes]):
                lane.result()
        except BaseException:
            cluster.watch.over.set()  # the other lanes end, too
            raise


def _shut_down(cluster: Cluster, step: steps.Shutdown) -> None:
    for who in step.members:
        cluster.tell(who, "shutdown", event="shutdown-end" if step.wait else None)
        cluster.alive.discard(who)
    if step.wait:
        cluster.watch.sleep(step.linger)
        for who in step.members:
            cluster.quit(who)


def _stand_still(cluster: Cluster, step: steps.Stop | steps.Resume) -> None:
    if isinstance(step, steps.Stop):
        for who in step.members:
            cluster.signal(who, signal.SIGSTOP)
        if step.for_ is None:
            return
        cluster.watch.sleep(step.for_)
    for who in step.members:
        cluster.signal(who, signal.SIGCONT)


def _suspend(cluster: Cluster, step: steps.Suspend | steps.Unsuspend) -> None:
    if isinstance(step, steps.Suspend):
        for who in step.members:
            cluster.tell(who, "suspend", event="suspended")
        if step.for_ is None:
            return
        cluster.watch.sleep(step.for_)
    for who in step.members:
        cluster.tell(who, "resume", event="resumed")


def _await_renewal(cluster: Cluster, who: str, age: float) -> None:
    """Wait until a consumer's last lock renewal was ``age`` seconds ago."""
    watch = cluster.watch

    def fresh() -> bool:
        return time.time() - watch.renewed.get(who, 0.0) < age

    try:
        watch.until(fresh, RENEWALS, f"{who} did not renew its locks")
    except LiveError:
        raise LiveError(f"{who} did not renew the locks of at least two queues within {RENEWALS:g} s") from None
    cluster.watch.sleep(max(0.0, watch.renewed[who] + age - time.time()))
    cluster.log.say("renewal-age", of=who, age=round(time.time() - watch.renewed[who], 3))


# Find out whether a run is calm: every message was consumed, and no listener is running.

QUIET = 10.0
"""Seconds without a change after which a fully consumed run counts as calm."""


def await_calm(cluster: Cluster) -> bool:
    """Wait until the run is calm, and return True.

    Return False if nothing has changed for the scenario's ``patience`` but the run is not calm.
    """
    while True:
        cluster.watch.look()
        still = time.monotonic() - cluster.watch.moved
        if still > QUIET and not any(waits(cluster)):
            return True
        if still > cluster.scenario.patience:
            return False
        cluster.watch.sleep(LOOK)


def waits(cluster: Cluster) -> Iterator[str]:
    """Yield what a calm run must not have, as text.

    It yields keys of messages that a running consumer may still receive, and names of consumers whose listener runs.
    """
    for who in cluster.alive:
        if any(cluster.watch.running[who].values()):
            yield who
    for group in {cluster.scenario.members[who].group for who in cluster.alive}:
        wanted = _wanted(cluster.scenario, group)
        begun, committed = cluster.watch.begun[group], cluster.watch.committed[group]
        for key, sent in cluster.watch.sent.items():
            tags = wanted.get(topic_of(sent.q), set())
            passed = sent.offset < committed.get(sent.q, 0)  # it will never be consumed
            if ({sent.tag, "*"} & tags) and key not in begun and not passed:
                yield key


def _wanted(scenario: Scenario, group: str) -> dict[str, set[str]]:
    """Return topic -> all tags that consumers of the group subscribe to."""
    found: dict[str, set[str]] = {}
    for member in scenario.members.values():
        for topic, tags in subscriptions(member.sub).items() if member.group == group else ():
            found.setdefault(topic, set()).update(tags)
    return found


Told = Callable[[str], None]


@dataclass(frozen=True)
class Setup:
    """The Java command and the RocketMQ distributions that a run uses."""

    java: str
    """The command that starts Java."""
    client: Distribution
    server: Distribution
    members: Mapping[str, Distribution] = field(default_factory=dict)
    """Distributions of members that differ from ``client``."""
    releases: Mapping[str, Distribution] = field(default_factory=dict)
    """Release that a scenario names for a member -> its distribution."""

    def of(self, scenario: Scenario) -> dict[str, Distribution]:
        """Return member -> its distribution, for the members of a scenario that do not use ``client``."""
        named = {who: self.releases[member.release] for who, member in scenario.members.items() if member.release}
        return named | {who: each for who, each in self.members.items() if who in scenario.members}


def run(scenario: Scenario, setup: Setup, folder: Path, told: Told) -> bool:
    """Run a scenario and write its recording into a new folder.

    Return True if the run became calm. Calm means that all messages were consumed and no listener runs. An interrupted
    or failed run leaves what it has recorded so far. ``told`` is called with messages about progress. Raises
    ``LiveError``.
    """
    folder = folder.absolute()  # each process has a working directory of its own
    folder.mkdir(parents=True)
    log = Log(folder / "driver.jsonl", told)
    try:
        members = setup.of(scenario)
        with Cluster(scenario, setup.java, setup.client, setup.server, folder, log, members) as cluster:
            try:
                _tell_jars(setup, members, log)
                cluster.up()
                perform(cluster, [Wait(then=scenario.send.first), *scenario.steps])
                cluster.end_sending()
                calm = await_calm(cluster)
                log.say("calm" if calm else "not-calm")
            except BaseException as error:
                log.say("failed", error=str(error) or type(error).__name__)
                raise
            finally:
                log.say("end")
                keep_logs(cluster.home, folder / "logs")
    finally:
        log.close()
        for path in folder.glob("*.jsonl"):
            pack(path, folder / f"{path.name}.gz")
    return calm


def _tell_jars(setup: Setup, members: Mapping[str, Distribution], log: Log) -> None:
    """Record which jars are those of a release."""
    of_members = [(who, jar) for who, each in members.items() for jar in each.jars]
    of_all = [(None, jar) for jar in dict.fromkeys((*setup.client.jars, *setup.server.jars))]
    for who, jar in (*of_all, *of_members):
        log.say("artifact", of=who, jar=jar.name, sha256=jar.sha256)


def keep_logs(home: Path, to: Path) -> None:
    """Copy the processes' own logs and output to ``to``, without the brokers' message files."""
    to.mkdir()
    for path in [*home.glob("*/*.log"), *home.glob("*/stdout")]:
        name = path.parent.name if path.name == "stdout" else f"{path.parent.name}-{path.stem}"
        if path.stat().st_size:
            _copy(path, to / f"{name}.log.gz")


def pack(path: Path, to: Path) -> None:
    """Replace a file by a compressed one."""
    _copy(path, to)
    path.unlink()


def _copy(path: Path, to: Path) -> None:
    with path.open("rb") as source, gzip.open(to, "wb") as packed:
        shutil.copyfileobj(source, packed)
