"""Read the generated index of the ledger."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rebalance_proofs.report.claims.mark import Mark, worded
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.text.grouped import grouped

# The record of one claim in the index.

ANYBODY = ""
"""Stands for any release, or for any mode of use."""
Listed = tuple[str, str]
"""(heading above a claim in a list, the claim's sentence below the heading)."""


@dataclass(frozen=True)
class Entry:
    """The facts about one claim that commands print; see ``proofs.claim.Claim``."""

    id: str
    kind: str
    family: Family
    row: tuple[str, ...]
    """Row names of the claim in its family's table."""
    alone: Listed
    """Heading and sentence for lists in which all claims have this heading."""
    among: Listed
    """Heading and sentence for lists in which claims share only the first row name."""
    sentence: str
    """The claim's sentence, with clients' names instead of strategies' short names."""
    expected: str
    """``PROVED`` or ``REFUTED``."""
    scope: str
    source: str
    dropped: bool
    """Whether the claim drops an assumption."""
    limits: tuple[str, ...]
    """Remarks on strategies for which the claim covers only some queues."""
    mark: Mark
    cases: int
    """How often recorded groups showed the claim's event, or could have contradicted it (``Seen.cases``)."""
    kept: bool
    """Whether ``cases`` counts chances to contradict the claim, which recorded groups never did."""
    results: Mapping[str, int]
    """Client and version -> number of recorded results that the modelled code reproduces."""
    labels: tuple[str, ...]
    """Display names of the claim's subjects (clients or strategies)."""
    names: tuple[str, ...]
    """Names that select the claim on the command line (``proofs.named``)."""
    strategies: tuple[str, ...]
    """The claim's strategies, by the names that users configure."""
    stands_for: tuple[str, ...] | None
    """Short names of the claim's strategies, also of those applied topic by topic.

    None if it has no strategy.
    """
    shipped: bool
    """Whether RocketMQ clients ship each of the claim's strategies."""
    released: bool
    """Whether the claim is about particular client releases."""
    explored: tuple[str, ...]
    """Commands that explore the standard groups in which the explorer checks the claim."""
    example: str | None
    """The command that explores the first example group in which the claim fails.

    None if there is none.
    """
    covered: Mapping[str, int]
    """Release -> covered modes of use, as a bit set over (``ANYBODY``, ``MODES``) with the lowest bit first."""

    @property
    def label(self) -> str:
        """The names of all subjects, joined."""
        return " + ".join(self.labels)

    @property
    def word(self) -> str:
        """The printed mark: ``observed``, ``observed in 4 cases``."""
        return worded(self.mark, self.cases)

    @property
    def holds(self) -> bool:
        """Whether the claim is expected to hold."""
        return self.expected == "PROVED"

    def covers(self, release: str = ANYBODY, mode: str = ANYBODY) -> bool:
        """Return whether the claim is about this release and mode, or about one that is proved to behave the same."""
        return bool(self.covered.get(release, 0) >> (ANYBODY, *MODES).index(mode) & 1)


def listed(claims: Sequence[Entry]) -> tuple[str, tuple[str, ...]]:
    """Return a heading for the claims, and a sentence for each claim below the heading."""
    if len({claim.alone[0] for claim in claims}) == 1:
        return claims[0].alone[0], tuple(claim.alone[1] for claim in claims)
    return claims[0].among[0], tuple(claim.among[1] for claim in claims)


FILE = "index.json"
"""Name of the index file, beside this module."""


@cache
def entries() -> Mapping[str, Entry]:
    """Return the index's record of every claim, by claim id, in the order of the ledger."""
    table, patterns = families(), document()["covered"]
    return {one["id"]: _entry(one, table, patterns) for one in document()["claims"]}


def entry(name: str) -> Entry:
    """Return the index's record of the claim with that id. Raises ``LookupError``."""
    if name not in entries():
        raise LookupError(f"no claim is called {name!r}")
    return entries()[name]


@cache
def families() -> Mapping[str, Family]:
    """Return the families of claims by name, in display order."""
    found = (Family(**{**one, "corner": tuple(one["corner"])}) for one in document()["families"])
    return {one.name: one for one in found}


@cache
def strategies() -> Mapping[str, Mark]:
    """Return the conformance mark of each strategy's code, by the strategy's short name."""
    return {one["name"]: Mark(one["mark"]) for one in document()["strategies"]}


def of_kind(name: str) -> list[dict[str, Any]]:
    """Return additional precomputed data for a kind of claims, such as explored pauses.

    See ``report.shown.Shown.indexed``.
    """
    found: list[dict[str, Any]] = document()["kinds"][0][name]
    return found


def _entry(one: Mapping[str, Any], table: Mapping[str, Family], patterns: list[dict[str, int]]) -> Entry:
    lists = {name: tuple(one[name]) for name in ("row", "alone", "limits", "names", "strategies", "labels", "explored")}
    return Entry(
        **{
            **one,
            **lists,
            "among": tuple(one["among"] or one["alone"]),
            "family": table[one["family"]],
            "mark": Mark(one["mark"]),
            "stands_for": None if one["stands_for"] is None else tuple(one["stands_for"]),
            "covered": patterns[one["covered"]],
        }
    )


@cache
def document() -> dict[str, Any]:
    """Return the parsed index file, which is read once."""
    return read(files("rebalance_proofs.report.index").joinpath(FILE).read_text(encoding="utf-8"))


def read(text: str) -> dict[str, Any]:
    """Parse the text of an index file."""
    found: dict[str, Any] = json.loads(text)
    return found


# Look up the conformance marks of claims by claim id, in the generated index of claims.


def mark_of(name: str) -> Mark:
    """Return the conformance mark of the claim with that id.

    Raises ``LookupError`` for an unknown id.
    """
    return entry(name).mark


def word_of(name: str) -> str:
    """Return the printed mark of the claim with that id: ``observed``, ``observed in 4 cases``.

    Raises ``LookupError`` for an unknown id.
    """
    return entry(name).word


def mark_of_strategy(name: str) -> Mark:
    """Return the mark of a strategy's code, by the strategy's short name.

    It is "not recorded" for strategies that RocketMQ lacks.
    """
    return strategies().get(name, Mark.MODEL)


def marks(names: Iterable[str]) -> dict[str, str]:
    """Return claim id -> name of its mark in JSON."""
    return {name: mark_of(name).value for name in names}


def together(names: Iterable[str]) -> Mark:
    """Return one conformance mark that stands for several claims.

    It is their common mark; the weaker one if each is observed, often or in few cases; "partly observed" if some claim
    is observed; otherwise the weakest mark.
    """
    found = sorted({mark_of(name) for name in names}, key=tuple(Mark).index)
    observed = (Mark.SEEN, Mark.FEW)
    if all(mark in observed for mark in found):
        return found[-1]
    return Mark.PART if len(found) > 1 and found[0] in (*observed, Mark.PART) else found[-1]


def of_claims(names: Iterable[str], told: Callable[[str], str] = str) -> str:
    """Return claims grouped by expected verdict and mark: ``REFUTED, not recorded: offsets.java_v4_9.once``."""
    alike = grouped(names, lambda name: (entry(name).expected, word_of(name)))
    return "; ".join(f"{verdict}, {mark}: {', '.join(map(told, own))}" for (verdict, mark), own in alike.items())


def by_label(marked: Iterable[tuple[Mark, str]]) -> str:
    """Return the common mark, or marks with labels: ``observed: AVG; consistent: CONFIG``.

    If claims with one label have several marks, return the number of claims with each: ``3 observed, 2 consistent``.
    """
    alike = {mark: [label for _, label in own] for mark, own in grouped(marked, lambda one: one[0]).items()}
    if len(alike) == 1:
        return str(next(iter(alike)))
    ordered = sorted(alike.items(), key=lambda one: tuple(Mark).index(one[0]))
    if sum(len({*labels}) for labels in alike.values()) > len({label for labels in alike.values() for label in labels}):
        return ", ".join(f"{len(labels)} {mark}" for mark, labels in ordered)
    return "; ".join(f"{mark}: {', '.join(dict.fromkeys(labels))}" for mark, labels in ordered)
