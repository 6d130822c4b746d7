"""Settings of clients and brokers that keep ordered consumption exclusive, ready to paste."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rebalance_proofs.model.machine.values import number, truth
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.assumptions import IN_TIME, condition, enough, least
from rebalance_proofs.model.machines.ordered.state import Limits

if TYPE_CHECKING:  # the settings of concurrent listeners need no solver
    from rebalance_proofs.proofs.ordered.safe import Answer

PROPERTIES = {
    "unlock": "rocketmq.client.unlockDelayTimeMills",
    "broker": "rocketmq.broker.rebalance.lockMaxLiveTime",
    "client": "rocketmq.client.rebalance.lockMaxLiveTime",
    "renewal": "rocketmq.client.rebalance.lockInterval",
    "loop": "rocketmq.client.maxTimeConsumeContinuously",
}
"""Java system property by field of ``Limits``, spelled as in RocketMQ's sources. A class reads them when it is loaded.
"""
WAIT = "awaitTerminationMillisWhenShutdown"
JVM = ("client", "renewal", "unlock", "loop")
"""Fields of ``Limits`` that a Java client reads from system properties."""
BROKER = ("broker",)
"""Fields of ``Limits`` that a broker reads from system properties."""


@dataclass(frozen=True)
class Settings:
    """Settings for one client, with which its time limits keep ordered consumption exclusive."""

    client: OrderedClient
    given: Limits
    """The limits in the user's question."""
    limits: Limits
    """The limits to set."""

    @property
    def java(self) -> bool:
        """True if the client has the Java client's settings; Go has constants instead."""
        return self.client.rules.waits_for_listener

    @property
    def code(self) -> dict[str, int]:
        """Return values in ms of the consumer object's properties."""
        return {WAIT: number(self.limits.wait)} if self.java else {}

    @property
    def jvm(self) -> dict[str, int]:
        """Return values in ms of the system properties of the client's JVM."""
        return {PROPERTIES[name]: getattr(self.limits, name) for name in JVM} if self.java else {}

    @property
    def broker(self) -> dict[str, int]:
        """Return values in ms of the system properties of each broker's JVM."""
        return {PROPERTIES[name]: getattr(self.limits, name) for name in BROKER}

    @property
    def changes(self) -> dict[str, tuple[int, int]]:
        """Return field of ``Limits`` -> (given value, value to set), for all values that differ."""
        pairs = {name: (getattr(self.given, name), getattr(self.limits, name)) for name in vars(self.limits)}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def settings(answers: Sequence["Answer"]) -> tuple[Settings, ...]:
    """Return settings for each client, in the order of the answers.

    All clients share the brokers, so the broker's value is the largest that a client needs. Limits are only raised,
    never lowered, so that consumption does not pause more often.
    """
    each = [raised(answer.client, answer.limits) for answer in answers]
    broker = max(number(limits.broker) for limits in each)
    found = zip(answers, each, strict=True)
    return tuple(Settings(answer.client, answer.limits, limits.but(broker=broker)) for answer, limits in found)


def raised(client: OrderedClient, limits: Limits) -> Limits:
    """Return limits that keep consumption exclusive, with a long enough wait at shutdown.

    In each part of the condition, only the limit that bounds the sum is raised, by the least amount.
    """
    for part in condition(client, IN_TIME):
        if not truth(part.holds(limits)):
            limits = limits.but(**{part.within: number(part.total(limits))})
    shortest = least(client.rules, limits)
    if shortest is not None and not truth(enough(client.rules, limits)):
        limits = limits.but(wait=shortest)
    return limits


def paste(code: dict[str, int], jvm: dict[str, int]) -> Iterator[str]:
    """Yield the lines to paste: calls of a consumer's setters, then flags of a JVM; values in ms."""
    for name, value in code.items():
        yield f"consumer.set{name[0].upper()}{name[1:]}({value});"
    for name, value in jvm.items():
        yield f"-D{name}={value}"


def told(every: Sequence[Settings]) -> Iterator[str]:
    """Yield the block of settings for a terminal."""
    yield "Settings to paste"
    for one in every:
        name = one.client.rocketmq_name
        if one.java:
            yield f"  {name}: before start(), and as flags of its JVM"
            yield from (f"    {line}" for line in paste(one.code, one.jvm))
        else:
            yield f"  {name}: no setting. Its lock times are constants, and its shutdown does not wait for listeners."
    yield "  Brokers: flags of the JVM"
    yield from (f"    {line}" for line in paste({}, every[0].broker))
    yield f"  {_changes(every)}"
    if any(one.client.rules.renews_on and "wait" in one.changes for one in every):
        yield "  A smaller maxTimeConsumeContinuously allows a shorter wait at shutdown."


def _changes(every: Sequence[Settings]) -> str:
    each = []
    for one in every:
        name = f"{one.client.rocketmq_name}: " if len(every) > 1 else ""
        if own := _changed(one, ("wait", *JVM)):
            each.append(f"{name}{own}")
    each += filter(None, [_changed(every[0], BROKER)])
    if not each:
        return "Nothing changes: these are the settings in your question."
    return f"Changed, in ms: {'; '.join(each)}."


def _changed(one: Settings, fields: Sequence[str]) -> str:
    found = ((name, *pair) for name, pair in one.changes.items() if name in fields)
    return ", ".join(f"{_setting_name(name)} {before} -> {after}" for name, before, after in found)


def _setting_name(field: str) -> str:
    """Return the short name of a setting: ``unlockDelayTimeMills``, ``broker lockMaxLiveTime``."""
    if field == "wait":
        return WAIT
    name = PROPERTIES[field].rpartition(".")[2]
    return f"broker {name}" if field in BROKER else name


def document(found: Settings) -> dict[str, Any]:
    """Return the settings as JSON; values in ms."""
    return {"code": found.code, "jvm": found.jvm, "broker": found.broker}
