"""List the failures in one result of a run, such as a claim's verdict, as sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, singledispatch

from rebalance_proofs.proofs.certified.found import Certified
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.files import FileReport
from rebalance_proofs.report.claims.enumeration import Enumeration, Words
from rebalance_proofs.report.kinds import KINDS
from rebalance_proofs.spark_enum.results import Finding

# Texts about findings, the results of the enumerator, for every kind of claims.


@cache
def enumerations() -> tuple[Enumeration, ...]:
    """Return how reports present the findings of each kind of claims, and of explored groups."""
    return tuple(_enumerations())


def _enumerations() -> Iterator[Enumeration]:
    for name, kind in KINDS.items():
        if kind.enumeration:
            yield kind.enumeration
        if kind.actions:
            yield kind.actions.enumeration(name)
    from rebalance_proofs.report.explorer.enumeration import (
        EXPLORED_TOLD,
    )  # heavy; commands about single claims do not need it

    yield EXPLORED_TOLD


@cache
def every_words() -> Mapping[str, Words]:
    """Return the texts for each kind of finding, by the name of the kind."""
    return {kind: words for one in enumerations() for kind, words in one.words.items()}


def words_of(kind: str) -> Words:
    """Return the texts for a kind of finding; those of a comparison for an unknown kind."""
    return every_words().get(kind, Words(meant=kind))


def sentences(found: Finding) -> tuple[str, ...]:
    """Return the failures in a finding; each sentence begins with the finding's name."""
    return words_of(found.kind).failures(found)


# Evidence that a run itself works: its checks notice wrong input, and all required work was done.


@dataclass(frozen=True)
class SelfTest:
    """A self-test of a run: one of its comparisons gets wrong input, and must notice it."""

    name: str
    """The comparison and its wrong input: ``positions: who owns a queue``."""
    noticed: bool
    """True if the comparison reported the wrong input, and reported no other problem."""
    said: str
    """What the comparison reported about the wrong input; or why the self-test failed."""


@dataclass(frozen=True)
class Required:
    """The required amount of one kind of work, computed independently of it, and the amount done."""

    name: str
    """The kind of work: ``avg join: positions``."""
    expected: int | str
    """The required amount, computed from the options, the ledger and closed forms.

    May be a text, such as a digest.
    """
    found: int | str
    """The amount of work that the run did."""

    @property
    def ok(self) -> bool:
        """True if both amounts are equal."""
        return self.found == self.expected


@singledispatch
def failures(record: object) -> tuple[str, ...]:
    """Return the failures in a result of a run; each sentence names its subject.

    Empty if there are none. Raises ``TypeError`` for an object of another type.
    """
    raise TypeError(f"{type(record).__name__} is no record of a run")


@failures.register
def _claim(result: ClaimResult) -> tuple[str, ...]:
    name = result.claim.id
    expected = f"{name}: expected {result.claim.expected}, is {result.verdict}. {result.reason}".strip()
    # The reason can be equal to the first contradiction, which is then printed once.
    more = (f"{name}: {said}" for said in result.contradictions if result.green or said != result.reason)
    return (*(() if result.green else (expected,)), *more)


@failures.register
def _finding(found: Finding) -> tuple[str, ...]:
    return sentences(found)


@failures.register
def _file(report: FileReport) -> tuple[str, ...]:
    return report.failures


@failures.register
def _self_test(test: SelfTest) -> tuple[str, ...]:
    return () if test.noticed else (f"self-test {test.name!r} failed: {test.said}",)


@failures.register
def _required(work: Required) -> tuple[str, ...]:
    if work.ok:
        return ()
    expected, found = (f"{number:,}" if isinstance(number, int) else number for number in (work.expected, work.found))
    return (f"{work.name}: {expected} required, {found} found",)


@failures.register
def _certified(found: Certified) -> tuple[str, ...]:
    lacking = len(found.drawn) - found.certified
    return (f"{lacking:,} of {len(found.drawn):,} formulas have no accepted certificate",) if lacking else ()
