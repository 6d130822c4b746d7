"""What can be explored, by name, and how a user asks for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.allocation.consistent_hash_go import CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.releases import LAST
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.model import Model

__all__ = ["OPTIONS", "RANGES", "Settings", "Subject", "read", "strategy_of"]


Client = TypeVar("Client")
STRATEGIES = {one.name: one for one in (AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, CONSISTENT_HASH_GO)}
"""By short name: those that need no rooms and no list of the user's."""


RANGES = {
    "consumers": (1, 8),
    "queues": (1, 16),
    "messages": (1, 100),
    "listener": (0, 3),
    "lock": (0, 6),
    "unlock": (0, 4),
}
"""Of numbers, the least and the most that can be asked for."""


@dataclass(frozen=True)
class Settings:
    """What is asked for; what a model does not know stays as it is here."""

    consumers: int = 2
    queues: int = 2
    messages: int = 1
    """In each queue."""
    client: str = LAST
    """A version."""
    strategy: str = "avg"
    faults: tuple[str, ...] = ()
    """What may happen besides, in the order of the model's."""
    listener: int = 1
    """Ticks that a listener takes at most."""
    lock: int = 3
    """Ticks for which a consumer trusts in a lock (``rocketmq.client.rebalance.lockMaxLiveTime``)."""
    unlock: int = 2
    """Ticks of ``rocketmq.client.unlockDelayTimeMills``."""


@dataclass(frozen=True)
class Subject:
    """A model that can be asked for."""

    name: str
    sentence: str
    """What it is a model of, for people."""
    takes: tuple[str, ...]
    """Of ``Settings``, what it goes by, besides consumers and queues."""
    faults: Mapping[str, str]
    """By name, what may happen if it is asked for."""
    build: Callable[[Settings], Model]
    """Raises ``UsageError`` for what there is not."""

    def settings(self, **told: Any) -> Settings:
        """What is told, and else what there is unless told. Raises ``UsageError`` for what the model does not take."""
        for name in told:
            if name not in ("consumers", "queues", *self.takes):
                raise UsageError(f"the model {self.name} does not go by --{OPTIONS.get(name, name)}")
        asked = told.get("faults", ())
        for fault in asked:
            if fault not in self.faults:
                there_are = f"there are {', '.join(self.faults)}" if self.faults else "there are none"
                raise UsageError(f"the model {self.name} has no fault {fault!r}; {there_are}")
        return Settings(**told | {"faults": tuple(fault for fault in self.faults if fault in asked)})

    def document(self, settings: Settings) -> dict[str, Any]:
        """The settings that it goes by, in JSON's values."""
        found = {name: getattr(settings, name) for name in ("consumers", "queues", *self.takes)}
        return found | ({"faults": list(settings.faults)} if "faults" in found else {})

    def read(self, document: Any) -> Settings:
        """What ``document`` has made, out of a file. Raises ``UsageError`` for what it makes of no settings."""
        names = ("consumers", "queues", *self.takes)
        if not isinstance(document, dict) or set(document) != set(names):
            raise UsageError(f"the model {self.name} goes by {', '.join(names)}, and by nothing else")
        for name, value in document.items():
            if name in RANGES:
                least, most = RANGES[name]
                if type(value) is not int or not least <= value <= most:
                    raise UsageError(f"{name!r} is no whole number from {least} to {most}")
            elif name == "faults":
                if not isinstance(value, list) or not all(isinstance(fault, str) for fault in value):
                    raise UsageError(f"{name!r} is no list of names")
            elif not isinstance(value, str):
                raise UsageError(f"{name!r} is no text")
        return self.settings(**document)

    def command(self, settings: Settings) -> str:
        """What a user asks for it with: ``explore ordered --consumers 2 --queues 1 --client 5.2``.

        The client is always named, as the last one will be another one; what else is as it is unless told is left out.
        """
        words = [f"explore {self.name} --consumers {settings.consumers} --queues {settings.queues}"]
        for name in self.takes:
            value = getattr(settings, name)
            if name == "client" or value != getattr(Settings(), name):
                told = ",".join(value) if isinstance(value, tuple) else value
                words.append(f"--{OPTIONS.get(name, name)} {told}")
        return " ".join(words)


OPTIONS = {"faults": "fault"}
"""Options that are named otherwise than what they tell."""


def read(client: str, meant: Callable[[str], Client]) -> Client:
    """What a user's words mean. Raises ``UsageError`` for a client of which that is not known."""
    try:
        return meant(client)
    except LookupError as error:
        raise UsageError(str(error)) from None


def strategy_of(settings: Settings) -> Strategy:
    """By its short name. Raises ``UsageError`` for one that cannot be explored."""
    if settings.strategy not in STRATEGIES:
        raise UsageError(f"no group of {settings.strategy!r} can be explored; there are {', '.join(STRATEGIES)}")
    return STRATEGIES[settings.strategy]
