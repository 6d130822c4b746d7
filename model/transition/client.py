"""A client as the claims about transitions see it: its code, its terms, and the ways in which it is used."""

from collections.abc import Callable
from dataclasses import dataclass

from model.allocation.strategy import Mutant
from model.client.settings import Settings
from model.transition.drivers import Driver
from model.transition.numbers import KINDS, WHERES
from model.transition.step import TransitionEncoding


@dataclass(frozen=True)
class Mode:
    """A way to use a client: the kind of consumer, the listener, the message model."""

    name: str
    kind: int = 0
    """Index in ``KINDS``."""
    orderly: int = 0
    broadcasting: int = 0
    order: int = 0
    """The argument ``isOrder`` with which the client calls the transition."""

    def settings(self, where: int) -> Settings:
        """The consumer's settings; ``where`` is an index in ``numbers.WHERES``."""
        return Settings(KINDS[self.kind], bool(self.orderly), bool(self.broadcasting), WHERES[where])


PUSH = Mode("push")
ORDERLY = Mode("push orderly", orderly=1, order=1)
BROADCAST = Mode("push broadcasting", broadcasting=1)
ORDERLY_BROADCAST = Mode("push orderly broadcasting", orderly=1, broadcasting=1, order=1)
ORDERLY_BROADCAST_UNLOCKED = Mode("push orderly broadcasting", orderly=1, broadcasting=1)
"""From 5.3.2 on."""
PULLS = (Mode("pull", kind=1), Mode("pull broadcasting", kind=1, broadcasting=1))
LITES = (Mode("lite pull", kind=2), Mode("lite pull broadcasting", kind=2, broadcasting=1))


@dataclass(frozen=True)
class Client:
    """One generation of a client."""

    name: str
    """``java_v4_9``, used in claim ids."""
    rocketmq_name: str
    """For people: ``Java 4.9.x``."""
    observed: str
    """The version that was run."""
    driver: Callable[[Settings, bool], Driver]
    """``driver(settings, is_order)``: runs its own code."""
    encoding: TransitionEncoding
    modes: tuple[Mode, ...]
    ignores: frozenset[str] = frozenset()
    """Unknowns of ``variables`` that it never looks at."""
    mutants: tuple[Mutant, ...] = ()

    def drive(self, mode: Mode, where: int) -> Driver:
        """Its own code, used in that mode."""
        return self.driver(mode.settings(where), bool(mode.order))
