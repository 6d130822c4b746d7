"""Claims about rebalance, and their verdicts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from rebalance_proofs.model.machine.world import Premised
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.errors import ClaimError
from rebalance_proofs.proofs.guarantee import Guarantee, World
from rebalance_proofs.proofs.obligation import Obligation

# Definitions of the times in claims: the names of time limits and settings in formulas.

DEFINITIONS: Mapping[str, str] = {
    "maxLockDelay": "the longest time from the broker's grant of a lock to the client's time stamp of it",
    "maxListenerTime": "the longest time from the lock check to the end of a listener call, hooks included",
    "maxRenewalGap": "the longest time from the time stamp of one lock renewal to that of the next",
    "maxLateRequest": (
        "the latest time at which a lock request can reach the broker, counted from the process queue's removal or "
        "the shutdown"
    ),
    "firstPullDelay": "the delay of an added queue's first pull (0.5 s from 5.0, no delay up to 4.9.8)",
    "client.lockMaxLiveTime": "`rocketmq.client.rebalance.lockMaxLiveTime` (30 s by default)",
    "broker.lockMaxLiveTime": "`rocketmq.broker.rebalance.lockMaxLiveTime` (60 s by default)",
    "unlockDelayTimeMills": "`rocketmq.client.unlockDelayTimeMills` (20 s by default)",
    "maxRebalance": "the longest rebalance of all groups of the process",
    "maxHeartbeat": "the longest heartbeat of a client to all brokers",
    "maxHeartbeatGap": "the longest time between two heartbeats of one member at the broker",
    "maxPullGap": "the longest time from a refused pull to the next pull of the queue",
    "maxScanGap": "the longest time between two scans of the broker for expired channels",
    "maxSendGap": "the longest time between two sends of collected notifications",
    "maxPollGap": "the longest time between two route answers",
}
"""Name in a formula -> its meaning."""

_NAMED = re.compile(r"(?<![`.\w])(?:" + "|".join(map(re.escape, DEFINITIONS)) + r")(?!\w)")
_TIME = re.compile(r"(?<![`.\w])(?:max[A-Z]\w+|firstPullDelay)")


def defined(words: str) -> tuple[str, ...]:
    """Return the definitions of all names that occur in these words, outside of code quotes."""
    found = set(_NAMED.findall(words))
    return tuple(f"{name}: {meaning}" for name, meaning in DEFINITIONS.items() if name in found)


def undefined(words: str, where: Iterable[str]) -> tuple[str, ...]:
    """Return the names of time limits that these words use and no phrase of ``where`` defines."""
    known = {phrase.partition(": ")[0] for phrase in where}
    return tuple(sorted({*_TIME.findall(words)} - known))


# Check that the id and the sentence of a claim match its assumptions (``world``).

EVEN_IF, WITHOUT = "even if", "without-"


def without(world: World) -> str:
    """Return the end of a claim's id for a dropped assumption, such as ``without-distinct-ids``.

    Empty if ``world`` drops no assumption.
    """
    return f"{WITHOUT}{world.name}" if world.dropped else ""


def even_if(world: World) -> str:
    """Return the end of a claim's sentence for an unusual event that ``world`` allows.

    Empty if there is none.
    """
    return f", {EVEN_IF} {world.even_if}" if world.even_if else ""


def ending(world: Premised) -> str:
    """Return the end of a claim's sentence: the condition and the unusual event of ``world``."""
    return even_if(world) if world.dropped else f"{world.when}{even_if(world)}"


def misnamed(world: World, variant: str, sentence: str, premise: str = "") -> str:
    """Describe a mismatch between the claim's id or sentence and its assumptions.

    Empty if there is none. ``variant`` is the end of the id; ``premise`` is the assumption that the guarantee's own
    sentence mentions. Without this check, a claim could be proved under all assumptions although its sentence omits
    one.
    """
    last, said = variant.rpartition(".")[2], sentence.count(EVEN_IF)
    if world.dropped and last != without(world):
        return f"its world drops the assumption {world.name!r}, which its id does not name"
    if last.startswith(WITHOUT) and not world.even_if:
        return f"its id contains {last!r}, and its world drops nothing"
    if said and (said > 1 or not world.even_if or even_if(world)[2:] not in sentence):
        return f"its sentence mentions {EVEN_IF!r} with an event that its world excludes"
    if world.dropped and not said and premise != world.name:
        return f"its sentence does not mention that {world.even_if}"
    return ""


class Verdict(StrEnum):
    """The verdict of all checks on a claim.

    Only PROVED or REFUTED, if it is the expected one, counts as success (green).
    """

    PROVED = "PROVED"
    """Every queried solver proves every obligation: the negated obligation is unsatisfiable."""
    REFUTED = "REFUTED"
    """There is a counterexample, and the client's code reproduces it."""
    UNKNOWN = "UNKNOWN"
    """The checks gave no result.

    A solver gave up or crashed, or the search found no counterexample within its limits. Also given when a solver's
    model fits only the named products or quotients, and so proves nothing.
    """
    TIMEOUT = "TIMEOUT"
    """A solver was killed at the hard time limit."""
    VACUOUS = "VACUOUS"
    """The proof may be empty: assumptions may be unsatisfiable, or a mutant was not rejected.

    A mutant is an encoding of the client with one deliberate error.
    """
    DISAGREE = "DISAGREE"
    """Two independent checks contradict each other."""


UNBOUNDED = "for all numbers of queues and consumers"
EXISTS = "one group suffices; the smallest is shown"


@dataclass(frozen=True)
class Claim:
    """One sentence about rebalance, with everything needed to check it."""

    room: str
    """First part of the claim's id, which names its group: ``allocation``, ``movement``."""
    subjects: tuple[Any, ...]
    """The strategies or clients that the claim is about (``model.subject.Subject``)."""
    guarantee: Guarantee
    world: Any
    """The environment that the claim assumes: an object like ``proofs.world.World``.

    For example, ``Groups`` (groups of consumers) or a ``Scenario`` (one client's rebalances).
    """
    holds: bool
    """Whether the claim is expected to hold; if not, a counterexample is expected."""
    sentence: str
    """The claim in words, at most 25; ``assumes`` has the assumptions."""
    scope: str
    """The numbers of queues and consumers that the claim covers: ``UNBOUNDED`` or ``EXISTS``."""
    source: str
    obligations: tuple[Obligation, ...]
    """The proof obligations; if the claim is expected to fail, at least one of them must fail."""
    variant: str = ""
    """Last part of the id: ``without-distinct-ids``.

    It distinguishes claims of the same guarantee under different assumptions.
    """
    also: tuple[Any, ...] = ()
    """Further environments in which the guarantee is checked by enumeration."""
    lemmas: tuple[Obligation, ...] = ()
    """Lemmas that justify the reduction to the obligations; proved like obligations."""
    notices: tuple[str, ...] = ()
    """Names of additional mutants of the first subject that the claim must reject.

    All claims must also reject the mutants that break their guarantee.
    """
    assuming: tuple[str, ...] = ()
    """Assumptions besides those of the guarantee and of the environment, as noun phrases."""
    defining: tuple[str, ...] = ()
    """Definitions besides those of the guarantee and of the environment.

    For example, ``a round: one wait and one rebalance``. Definitions of times follow (``proofs.definitions``).
    """

    def __post_init__(self) -> None:
        """Check the words of the claim. Raises ``ClaimError`` if they contradict its environment."""
        if problem := misnamed(self.world, self.variant, self.sentence, self.guarantee.premise):
            raise ClaimError(f"{self.id}: {problem}")

    @cached_property
    def id(self) -> str:
        """Dotted id, such as ``allocation.avg.disjoint.without-distinct-ids``.

        The guarantee's name is left out where it equals that of the package.
        """
        named = self.guarantee.name if self.guarantee.name != self.room else ""
        return ".".join(part for part in (self.room, subject(self.subjects), named, self.variant) if part)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names that select the claim on the command line.

        These are the parts of its id, and the names of its guarantee and subjects.
        """
        versions = (re.fullmatch(r"java_v([\d_]+)", one.name) for one in self.subjects)
        numbers = [found[1].replace("_", ".") for found in versions if found]
        subjects = (name for one in self.subjects for name in (one.name, one.rocketmq_name))
        every = (*self.id.split("."), self.guarantee.name, *subjects, *numbers, *(f"Java {one}" for one in numbers))
        return tuple(dict.fromkeys(every))

    @property
    def assumes(self) -> tuple[str, ...]:
        """Return all assumptions of the claim, as noun phrases.

        They are those of the claim itself, of its guarantee and of its environment.
        """
        return (*self.assuming, *self.guarantee.assumes, *self.world.assumes)

    @property
    def where(self) -> tuple[str, ...]:
        """All definitions that the claim's sentence and assumptions need.

        Those of the claim come first, then those of the guarantee and of the environment, then those of times.
        """
        stated = (*self.defining, *self.guarantee.where, *self.world.defines)
        dropped = (self.world.sentence,) if self.world.dropped else ()
        return (*stated, *defined(" ".join((self.sentence, *self.assumes, *stated, *self.covers, *dropped))))

    @property
    def covers(self) -> tuple[str, ...]:
        """Return cases that the claim covers explicitly, as phrases: ``any subscription versions``."""
        return self.guarantee.covers

    @property
    def expected(self) -> Verdict:
        """Return the verdict that counts as success for this claim: PROVED or REFUTED."""
        return Verdict.PROVED if self.holds else Verdict.REFUTED

    @property
    def kind(self) -> str:
        """Return the name of the kind of claims that it belongs to: ``allocation``, ``transition``."""
        kind: str = self.world.kind
        return kind

    @property
    def mutants(self) -> tuple[Mutant, ...]:
        """Return the encodings with one deliberate error that this claim must reject.

        They are mutants of the first subject.
        """
        named = (self.guarantee.name, f"{self.guarantee.name}.{self.variant}")
        return tuple(
            mutant for mutant in self.subjects[0].mutants if mutant.breaks in named or mutant.name in self.notices
        )

    @property
    def encodings(self) -> tuple[Any, ...]:
        """Return the SMT encodings of the claim's strategies or clients."""
        return tuple(one.encoding for one in self.subjects)
