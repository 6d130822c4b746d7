"""The models that users can explore, by name, with the user's settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any, TypeVar

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.releases import LAST, resolved
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.model import Model

Client = TypeVar("Client")
STRATEGIES = {one.name: one for one in (AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH, CONSISTENT_HASH_GO)}
"""Allocation strategies by short name, without MACHINE_ROOM_NEARBY and CONFIG."""


RANGES = {
    "consumers": (1, 8),
    "queues": (1, 16),
    "messages": (1, 100),
    "listener": (0, 3),
    "lock": (0, 6),
    "unlock": (0, 4),
}
"""Minimum and maximum of each number in ``Settings``."""


@dataclass(frozen=True)
class Settings:
    """Settings of an exploration. A setting that a model does not use has its default value."""

    consumers: int = 2
    queues: int = 2
    messages: int = 1
    """The number of messages in each queue."""
    client: str = LAST
    """Client version, such as ``5.2`` or ``4.9.8``."""
    strategy: str = "avg"
    faults: tuple[str, ...] = ()
    """Names of the faults that may happen, in the order of the model's list."""
    listener: int = 1
    """Longest time that a listener call takes, in ticks of ten seconds."""
    lock: int = 3
    """Ticks for which a consumer relies on a lock (``rocketmq.client.rebalance.lockMaxLiveTime``)."""
    unlock: int = 2
    """``rocketmq.client.unlockDelayTimeMills``, in ticks."""


@dataclass(frozen=True)
class Subject:
    """A model that users can select."""

    name: str
    sentence: str
    """A sentence that describes the modelled group."""
    takes: tuple[str, ...]
    """Names of the ``Settings`` fields that the model uses, besides consumers and queues."""
    faults: Mapping[str, str]
    """The faults that users can select: name -> description."""
    build: Callable[[Settings], Model]
    """Function that builds the model from settings.

    Raises ``UsageError`` for settings that the model does not support.
    """

    def settings(self, **told: Any) -> Settings:
        """Return settings with the given values, and defaults for the others.

        Raises ``UsageError`` for a setting that the model does not use.
        """
        for name in told:
            if name not in ("consumers", "queues", *self.takes):
                raise UsageError(f"the model {self.name} has no option --{OPTIONS.get(name, name)}; leave it out")
        asked = told.get("faults", ())
        for fault in asked:
            if fault not in self.faults:
                known = f"its faults are {', '.join(self.faults)}" if self.faults else "it has no faults"
                raise UsageError(f"the model {self.name} has no fault {fault!r}; {known}")
        return Settings(**told | {"faults": tuple(fault for fault in self.faults if fault in asked)})

    def document(self, settings: Settings) -> dict[str, Any]:
        """Return the settings that the model uses, as a JSON object."""
        found = {name: getattr(settings, name) for name in ("consumers", "queues", *self.takes)}
        return found | ({"faults": list(settings.faults)} if "faults" in found else {})

    def remark(self, settings: Settings) -> str:
        """Return a remark on the client's version if another release represents it, otherwise ""."""
        return resolved(settings.client).note if "client" in self.takes else ""

    def read(self, document: Any) -> Settings:
        """Return the settings in a JSON ``document`` that was read from a file.

        Raises ``UsageError`` if they are not valid.
        """
        names = ("consumers", "queues", *self.takes)
        if not isinstance(document, dict) or set(document) != set(names):
            raise UsageError(f"the settings of the model {self.name} have to be {', '.join(names)}")
        for name, value in document.items():
            if name in RANGES:
                least, most = RANGES[name]
                if type(value) is not int or not least <= value <= most:
                    raise UsageError(f"{name!r} is not a whole number from {least} to {most}")
            elif name == "faults":
                if not isinstance(value, list) or not all(isinstance(fault, str) for fault in value):
                    raise UsageError(f"{name!r} is not a list of names")
            elif not isinstance(value, str):
                raise UsageError(f"{name!r} is not a text")
        return self.settings(**document)

    def command(self, settings: Settings) -> str:
        """Return the command line that explores with these settings.

        Example: ``explore ordered --consumers 2 --queues 1 --client 5.2``. The client is always named, because the
        default changes with later versions. Other default values are left out.
        """
        words = [f"explore {self.name} --consumers {settings.consumers} --queues {settings.queues}"]
        for name in self.takes:
            value = getattr(settings, name)
            if name == "client" or value != getattr(Settings(), name):
                told = quote(",".join(value) if isinstance(value, tuple) else str(value))
                words.append(f"--{OPTIONS.get(name, name)} {told}")
        return " ".join(words)


OPTIONS = {"faults": "fault"}
"""Command-line options whose names differ from those of the settings: setting -> option."""


def read(client: str, meant: Callable[[str], Client]) -> Client:
    """Return the client that the user named, as ``meant`` finds it.

    Raises ``UsageError`` if ``meant`` finds none.
    """
    try:
        return meant(client)
    except LookupError as error:
        raise UsageError(str(error)) from None


def strategy_of(settings: Settings) -> Strategy:
    """Return the allocation strategy that the settings name.

    Raises ``UsageError`` if the explorer does not support it.
    """
    if settings.strategy not in STRATEGIES:
        raise UsageError(f"--strategy {settings.strategy!r} cannot be explored; name one of {', '.join(STRATEGIES)}")
    return STRATEGIES[settings.strategy]
