"""Perform the steps of a scenario on a cluster."""

import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from rebalance_proofs.recorded.live import step as steps
from rebalance_proofs.recorded.live.cluster import Cluster
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.step import Step, Together

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
