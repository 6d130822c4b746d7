"""Standard groups that every run of ``verify`` and ``enumerate`` explores for its claims.

To add one, add a line to a table here and record its results (``python -m rebalance_proofs.evidence.groups``).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rebalance_proofs.spark_enum.explorer.model import Watch
from rebalance_proofs.spark_enum.explorer.models import concurrent, lock_lite, ordered
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject

# Registry of the explorable models.
# To add one, write its file in ``models`` and name it here.

SUBJECTS: dict[str, Subject] = {one.name: one for one in (concurrent.SUBJECT, ordered.SUBJECT, lock_lite.SUBJECT)}
"""The models, by name."""


KINDS = ("ordered.", "offsets.")
"""First parts of the ids of claims for which standard groups are explored."""


@dataclass(frozen=True)
class Standard:
    """A standard group: a model with settings, and the claims that it checks."""

    model: str
    settings: Settings
    settles: bool = False
    """Whether settling is examined, which at least doubles the time."""
    beside: str = ""
    """Id of a claim about the group that none of its bad states names; empty if there is none."""

    @property
    def name(self) -> str:
        """The command that explores the same group."""
        return self.subject.command(self.settings)

    @property
    def subject(self) -> Subject:
        """The group's model, under the name that users know."""
        return SUBJECTS[self.model]

    @cached_property
    def watches(self) -> Mapping[str, Watch]:
        """The bad states (watches) of the group's model, by name."""
        return {watch.name: watch for watch in self.subject.build(self.settings).watches}

    def watches_for(self, claim: str) -> bool:
        """Return True if one of the bad states concerns the claim with this id."""
        return any(claim in watch.claims for watch in self.watches.values())

    @property
    def claims(self) -> tuple[str, ...]:
        """Ids of the claims for which the group is explored.

        The group satisfies all of their assumptions, or all but one.
        """
        told = [claim for watch in self.watches.values() for claim in watch.claims if claim.startswith(KINDS)]
        return (*told, *filter(None, [self.beside]))


def _group(of: Subject, *, settles: bool = False, beside: str = "", **told: Any) -> Standard:
    return Standard(of.name, of.settings(**told), settles, beside)


CONCURRENT, ORDERED, LOCK_LITE = concurrent.SUBJECT, ordered.SUBJECT, lock_lite.SUBJECT
UNHEARD = (ordered.CRASH, ordered.LOST_NOTIFICATION, ordered.LOST_RENEWAL)
"""Faults that do not violate the assumptions of ``ordered.*.exclusive``."""
REBALANCE = "ordered.java_v5_2.exclusive"
"""Id of the claim about the client whose rebalance the model ``lock-lite`` uses."""

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
"""Additional larger groups, which are omitted with ``--quick``."""


def chosen(claims: Iterable[str], *, larger: bool) -> tuple[Standard, ...]:
    """Return the groups that concern claims with these ids; ``larger``: include ``LARGER``."""
    ids = {*claims}
    return tuple(group for group in (*QUICK, *(LARGER if larger else ())) if ids & {*group.claims})


def watches(name: str) -> Mapping[str, Watch]:
    """Return the bad states (watches) of the group of that name; empty if there is no such group."""
    return next((group.watches for group in (*QUICK, *LARGER) if group.name == name), {})
