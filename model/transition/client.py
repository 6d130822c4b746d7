"""A client as the subject of claims about transitions: code, SMT encoding, and modes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.drivers import Driver
from rebalance_proofs.model.transition.numbers import KINDS, WHERES
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.variables import Variable


def slug(words: str) -> str:
    """Return the words with hyphens for spaces and dots, and without commas.

    For ids and file names.
    """
    return words.replace(",", "").replace(" ", "-").replace(".", "-")


@dataclass(frozen=True)
class Mode:
    """A way to use a client: consumer type, listener, message model. Flags are 0 or 1."""

    name: str = field(compare=False)
    kind: int = 0
    """Consumer type, as an index in ``KINDS``."""
    orderly: int = 0
    broadcasting: int = 0
    order: int = 0
    """The argument ``isOrder`` of the client's rebalance."""
    own_store: int = 0
    """1 for a user-defined offset store, 0 for the client's default store."""

    @property
    def slug(self) -> str:
        """The mode's name for ids and file names, such as ``push-own-store``."""
        return slug(self.name)

    def with_own_store(self) -> "Mode":
        """Return the same mode with a user-defined offset store."""
        return replace(self, name=f"{self.name} (own store)", own_store=1)

    def settings(self, where: int) -> Settings:
        """Return the settings of a consumer in this mode.

        ``where``: its ``consumeFromWhere``, as an index in ``numbers.WHERES``.
        """
        return Settings(KINDS[self.kind], bool(self.orderly), bool(self.broadcasting), WHERES[where])


PUSH = Mode("push")
ORDERLY = Mode("push orderly", orderly=1, order=1)
BROADCAST = Mode("push broadcasting", broadcasting=1)
ORDERLY_BROADCAST = Mode("push orderly broadcasting", orderly=1, broadcasting=1, order=1)
ORDERLY_BROADCAST_BEFORE_5_3_2 = replace(ORDERLY_BROADCAST, name="push orderly broadcasting up to 5.3.1")
ORDERLY_BROADCAST_FROM_5_3_2 = Mode("push orderly broadcasting from 5.3.2 on", orderly=1, broadcasting=1)
PULLS = (Mode("pull", kind=1), Mode("pull broadcasting", kind=1, broadcasting=1))
LITES = (Mode("lite pull", kind=2), Mode("lite pull broadcasting", kind=2, broadcasting=1))


@dataclass(frozen=True)
class Client:
    """One generation of a client, in claims about transitions."""

    name: str
    """Name used in claim ids: ``java_v4_9``."""
    rocketmq_name: str
    """Name for people: ``Java 4.9.8``."""
    observed: str
    """The version that was run; empty if no version was run and only sources were used."""
    driver: Callable[[Settings, bool, bool], Driver]
    """``driver(settings, is_order, own_store)``: an object that runs the client's Python code."""
    encoding: TransitionEncoding
    modes: tuple[Mode, ...]
    ignores: frozenset[str] = frozenset()
    """Names of unknowns in ``variables`` that a rebalance of this client never reads."""
    alike: Mapping[str, tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict, hash=False)
    """For each unknown, values with the same effect as another value in this client.

    The first set of values is for the default offset store, the second for a user-defined one.
    """
    mutants: tuple[Mutant, ...] = ()
    releases: tuple[str, ...] = ()
    """The releases that the client represents."""

    def drive(self, mode: Mode, where: int) -> Driver:
        """Return an object that runs the client's Python code in that mode."""
        return self.driver(mode.settings(where), bool(mode.order), bool(mode.own_store))

    def values(self, variable: Variable, own_store: int) -> tuple[int, ...]:
        """Return one value of each class of values that the client distinguishes.

        The default value is first.
        """
        if variable.name in self.ignores:
            return (variable.benign,)
        same = self.alike[variable.name][own_store] if variable.name in self.alike else frozenset()
        return tuple(value for value in variable.values if value not in same)
