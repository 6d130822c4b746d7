"""Settings with which the time of ``rebalance settle`` holds, ready to paste, and what they mean on Kubernetes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.machines.ordered.state import DEFAULTS as LOCKS
from rebalance_proofs.model.machines.settling.actions import Limits
from rebalance_proofs.report.ordered import settings as ordered
from rebalance_proofs.report.settling import kubernetes
from rebalance_proofs.report.settling.settle import EVENTS, ROLLING, Answer, answer, settling_client
from rebalance_proofs.report.text.english import seconds

PROPERTIES = {"wait": "rocketmq.client.rebalance.waitInterval", "least": "rocketmq.client.rebalance.minInterval"}
"""Java system property by field of ``Limits``."""
COMMIT = "persistConsumerOffsetInterval"
SHORTEST = 1_000
"""Smallest ``waitInterval`` in ms that is proposed: each rebalance sends requests to brokers."""


@dataclass(frozen=True)
class Settings:
    """Settings for one answer; values in ms."""

    answer: Answer
    """The answer with these settings."""
    code: dict[str, int]
    """Property of the consumer object -> its value."""
    jvm: dict[str, int]
    """System property of the client's JVM -> its value."""
    broker: dict[str, int]
    """System property of each broker's JVM -> its value; empty if no setting of brokers matters."""
    kubernetes: kubernetes.Kubernetes
    within: int | None
    """The time that the user wants; None if not given."""

    @property
    def fits(self) -> bool:
        """True if every queue is consumed again within the time that the user wants."""
        return self.within is None or _known(self.answer) <= self.within


def settings(found: Answer, within: int | None = None) -> Settings:
    """Return settings for the answer, with the longest ``waitInterval`` that gives ``within``.

    If no ``waitInterval`` does, the answer's own one stays.
    """
    if within is not None and not found.orderly:
        found = _faster(found, within)
    code, jvm, broker = _ordered(found) if found.orderly else _concurrent(found)
    least = _has_least(found)
    jvm |= {PROPERTIES[name]: number(getattr(found.limits, name)) for name in ("wait", *["least"] * least)}
    return Settings(found, code, jvm, broker, _kubernetes(found), within)


def _faster(found: Answer, within: int) -> Answer:
    quickest = _again(found, replace(found.limits, wait=SHORTEST))
    # The time grows with the wait by the same amount, from a wait of minInterval on.
    wait = min(number(found.limits.wait), SHORTEST + within - _known(quickest))
    return found if wait < SHORTEST else _again(found, replace(found.limits, wait=wait))


def _again(found: Answer, limits: Limits, event: str = "") -> Answer:
    """Return the answer to the same question with other limits, and for another event if one is named."""
    return answer(
        found.client,
        EVENTS[event or found.event.name],
        replace(limits, loop=limits.loop - found.busy * found.lock_wait),
        orderly=found.orderly,
        rate=found.rate,
        commit=found.commit,
        busy=found.busy,
        listener=found.listener,
    )


def _known(found: Answer) -> int:
    """Return the total in ms; with concurrent listeners, it is always known."""
    assert found.total is not None
    return found.total


def _has_least(found: Answer) -> bool:
    thread = settling_client(found.client)
    return thread is not None and thread.least


def _locks(found: Answer) -> ordered.Settings:
    limits = LOCKS.but(listener=found.listener)
    return ordered.Settings(found.client, limits, ordered.raised(found.client, limits))


def _ordered(found: Answer) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    locks = _locks(found)
    return locks.code, dict(locks.jvm), locks.broker


def _concurrent(found: Answer) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    commit = {COMMIT: found.commit} if found.event.lost else {}
    return {ordered.WAIT: found.listener + 1, **commit}, {}, {}


def _kubernetes(found: Answer) -> kubernetes.Kubernetes:
    loop = number(found.limits.loop)
    if found.orderly:
        return kubernetes.ordered(found.client, _locks(found).limits, loop, found.busy)
    shutdown, crash, lost = (_known(_again(found, found.limits, event)) for event in kubernetes.EVENTS_OF_PODS)
    return kubernetes.concurrent(found.listener + 1, loop, (shutdown, crash, lost), found.apart)


def told(found: Settings) -> Iterator[str]:
    """Yield the blocks of settings and of Kubernetes for a terminal."""
    yield "Settings to paste"
    yield f"  {found.answer.client.rocketmq_name}: before start(), and as flags of its JVM"
    yield from (f"    {line}" for line in ordered.paste(found.code, found.jvm))
    if found.broker:
        yield "  Brokers: flags of the JVM"
        yield from (f"    {line}" for line in ordered.paste({}, found.broker))
    else:
        yield "  Brokers: no setting is part of this time."
    yield f"  {_wait(found)}"
    if not found.fits:
        rest = seconds(_known(_again(found.answer, replace(found.answer.limits, wait=SHORTEST))))
        yield f"  No waitInterval gives {seconds(found.within or 0)}: with {seconds(SHORTEST)} it takes {rest}."
    elif found.within is not None:
        yield f"  With these settings, every queue is consumed again within {seconds(_known(found.answer))}."
    yield ""
    printed = kubernetes.OF_ALL_BOUNDS[:1] if found.answer.event is ROLLING else kubernetes.OF_ALL_BOUNDS
    yield from kubernetes.told([(found.answer.client.rocketmq_name, found.kubernetes)], printed)


def _wait(found: Settings) -> str:
    if found.answer.orderly:
        return f"A shutdown interrupts a listener call that still runs after {ordered.WAIT}."
    listener = seconds(found.answer.listener)
    return f"A shutdown waits for running calls of at most {listener} (--listener); later calls can be interrupted."


def document(found: Settings) -> dict[str, Any]:
    """Return the settings as fields of the answer's JSON; times in ms."""
    return {
        "settings": {"code": found.code, "jvm": found.jvm, "broker": found.broker, "fits": found.fits},
        "kubernetes": kubernetes.document(found.kubernetes),
    }
