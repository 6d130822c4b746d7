"""Standard groups, which every run of ``verify`` and ``enumerate`` explores for the claims that it has.

To add one: write a line of a table here, and have it recorded (``python -m rebalance_proofs.evidence.groups``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rebalance_proofs.spark_enum.explorer.model import Watch
from rebalance_proofs.spark_enum.explorer.models import concurrent, lock_lite, ordered
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject
from rebalance_proofs.spark_enum.explorer.subjects import SUBJECTS

__all__ = ["LARGER", "QUICK", "Standard", "chosen", "watches"]

KINDS = ("ordered.", "offsets.")
"""The first parts of the ids of claims for which groups are explored."""


@dataclass(frozen=True)
class Standard:
    """A standard group."""

    model: str
    settings: Settings
    settles: bool = False
    """Whether it is examined if the group settles; that takes as long as all the rest, and longer in ticks."""
    beside: str = ""
    """A further claim for which it is explored although none of its target predicates names it; empty for none."""

    @property
    def name(self) -> str:
        """The command that explores the same group."""
        return self.subject.command(self.settings)

    @property
    def subject(self) -> Subject:
        """The model as users ask for it."""
        return SUBJECTS[self.model]

    @cached_property
    def watches(self) -> Mapping[str, Watch]:
        """The target predicates of its model, by name."""
        return {watch.name: watch for watch in self.subject.build(self.settings).watches}

    def watches_for(self, claim: str) -> bool:
        """Whether one of its target predicates is about the claim with this id."""
        return any(claim in watch.claims for watch in self.watches.values())

    @property
    def claims(self) -> tuple[str, ...]:
        """Ids of the claims for which it is explored; the group satisfies all, or all but one, of their premises."""
        told = [claim for watch in self.watches.values() for claim in watch.claims if claim.startswith(KINDS)]
        return (*told, *filter(None, [self.beside]))


def _group(of: Subject, *, settles: bool = False, beside: str = "", **told: Any) -> Standard:
    return Standard(of.name, of.settings(**told), settles, beside)


CONCURRENT, ORDERED, LOCK_LITE = concurrent.SUBJECT, ordered.SUBJECT, lock_lite.SUBJECT
UNHEARD = (ordered.CRASH, ordered.LOST_NOTIFICATION, ordered.LOST_RENEWAL)
"""Faults under which the premises of ``ordered.*.exclusive`` hold."""
REBALANCE = "ordered.java_v5_2.exclusive"
"""The claim about the client whose rebalance ``lock-lite`` has."""

QUICK = (
    _group(CONCURRENT, client="5.2", settles=True),
    _group(CONCURRENT, client="4.9.8", queues=1, faults=tuple(concurrent.FAULTS), settles=True),
    _group(ORDERED, client="4.9.8", queues=1),
    _group(ORDERED, client="5.2", queues=1),
    _group(ORDERED, client="5.2", queues=1, unlock=4, faults=UNHEARD),
    _group(ORDERED, client="go", queues=1, faults=UNHEARD),
    _group(LOCK_LITE, beside=REBALANCE),
)
LARGER = (
    _group(CONCURRENT, client="5.2", faults=tuple(concurrent.FAULTS)),
    _group(CONCURRENT, client="5.2", consumers=3, queues=1, settles=True),
    _group(CONCURRENT, client="4.9.8", queues=3, strategy="circle"),
    _group(ORDERED, client="5.1.4", queues=1, settles=True),
    _group(ORDERED, client="5.2", unlock=4, settles=True),
    _group(ORDERED, client="5.2", queues=1, unlock=3),
    _group(ORDERED, client="5.2", consumers=3, queues=1, unlock=4),
    *(
        _group(ORDERED, client="5.2", queues=1, unlock=4, faults=(fault,))
        for fault in (ordered.LATE_RETURN, ordered.RESTART, ordered.SHUTDOWN)
    ),
    _group(ORDERED, client="go", settles=True),
    _group(LOCK_LITE, queues=3, messages=2, beside=REBALANCE),
    _group(LOCK_LITE, consumers=3, queues=3, beside=REBALANCE),
)
"""Further groups, left out by ``--quick``."""


def chosen(claims: Iterable[str], *, larger: bool) -> tuple[Standard, ...]:
    """The groups that are about claims with one of these ids."""
    ids = {*claims}
    return tuple(group for group in (*QUICK, *(LARGER if larger else ())) if ids & {*group.claims})


def watches(name: str) -> Mapping[str, Watch]:
    """The target predicates of the group of that name; none if there is no such group."""
    return next((group.watches for group in (*QUICK, *LARGER) if group.name == name), {})
