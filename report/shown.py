"""How reports show one kind of claims: a record of functions, which each kind fills in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.enumeration import Actions, Enumeration
from rebalance_proofs.report.claims.steps import Played, TraceVariable
from rebalance_proofs.report.conformance import Seen
from rebalance_proofs.report.family import Family

# Overview tables of strategies on the HTML page: all small allocations, and heat maps of costs.

LEVELS = 6
"""Number of shades in a heat map: shade 0 is the value 0, the others go from small to large values."""
NOBODY = "-"


@dataclass(frozen=True)
class Heat:
    """A heat map with one value for each number of consumers and queues."""

    title: str
    rows: tuple[tuple[int, ...], ...]
    """Values: one row for each number of consumers, with a value for each number of queues, both from 1."""

    @cached_property
    def most(self) -> int:
        """The largest value in the map."""
        return max(map(max, self.rows))

    def level(self, number: int) -> int:
        """Return the shade of a value, by its ratio to the largest value."""
        return 0 if not number else max(1, -(-number * (LEVELS - 1) // self.most))

    @property
    def said(self) -> str:
        """A short text alternative to the map, for readers who cannot see it."""
        return f"nowhere more than {self.most}" if self.most else "0 everywhere"


@dataclass(frozen=True)
class Atlas:
    """The overview tables of a strategy, or of several strategies with the same allocations."""

    title: str
    sentence: str
    strategies: tuple[str, ...]
    """The strategies' names, as users configure them."""
    queues: int
    consumers: int
    heats: tuple[Heat, ...]
    packed: tuple[tuple[str, ...], ...]
    """Allocations: a row for each number of consumers, a text for each number of queues, both from 1.

    A text has one character for each queue: its owner as a digit in base 36, or ``NOBODY`` for no owner.
    """


# Replay a counterexample on the modelled client code, from the actions in its trace.

Recipe = Mapping[str, Any]
"""Replay data of a whole trace or of one step, as JSON values."""


class NotARun(Exception):
    """Raised for a trace that cannot be replayed; the message gives the reason."""


@dataclass(frozen=True)
class Ran:
    """Result of a replay."""

    example: Counterexample
    """The replayed part of the counterexample; without a sentence if it breaks no guarantee."""
    stopped: str = ""
    """Why the replay stopped early; empty if it reached the end."""


@dataclass(frozen=True)
class Replayable:
    """Functions that write and replay the traces of one kind of claims."""

    recipe: Callable[[Claim, Counterexample], tuple[Recipe, Sequence[Recipe]]]
    """``recipe(claim, example)`` returns replay data of the whole trace, and of each step after the first state."""
    run: Callable[[Claim, Recipe, Sequence[Recipe]], Ran]
    """``run(claim, whole, steps)`` replays a trace. Raises ``NotARun``."""


def integer(recipe: Recipe, name: str, least: int = 0, most: int = 2**53) -> int:
    """Return the integer ``name`` of the replay data, between ``least`` and ``most``.

    Raises ``NotARun``.
    """
    value = recipe.get(name)
    if type(value) is not int or not least <= value <= most:
        raise NotARun(f"{name!r} is not a whole number from {least} to {most}")
    return value


Row = tuple[str, ...]
Cells = Mapping[tuple[Row, str], Sequence[Claim]]


@dataclass(frozen=True)
class Shown:
    """How reports and pages show one kind of claims and its counterexamples.

    Most fields are functions from a claim, or from a claim and a counterexample.
    """

    families: tuple[Family, ...]
    """Declared families in display order; other families of claims follow."""
    family: Callable[[Claim], Family]
    row: Callable[[Claim], Row]
    """Row names of the claim in tables and lists; rows with the same first name are adjacent."""
    column: Callable[[Claim], str]
    """Column of the claim in its family's table."""
    cells: Callable[[Sequence[Claim]], Cells]
    """The claims of each cell of a family's table, by row and column.

    A claim may fill several cells.
    """
    about: Callable[[Claim], str]
    """A sentence on the group or client that the claim is about."""
    given: Callable[[Claim], str]
    """The claim's circumstances and assumptions, in sentences, one a line."""
    listed: Callable[[Sequence[Claim]], tuple[str, tuple[str, ...]]]
    """A heading for claims with the same first row name, and a sentence for each claim."""
    label: Callable[[Any], str]
    """A subject's name for tables: ``CONSISTENT_HASH (Go)``, ``Java 4.9.8``."""
    code: Callable[[Any], Any]
    """The Python function or class that mirrors the subject's client code."""
    smallest: Callable[[Claim], Counterexample]
    """Find the smallest counterexample by trying every case in order of size.

    Raises ``LookupError`` if there is none within the bounds.
    """
    size: Callable[[Counterexample], str]
    """The counterexample's size: ``2 consumers, 1 queue``."""
    lines: Callable[[Claim, Counterexample], tuple[str, ...]]
    """The counterexample in words, one step a line; the last line states the broken guarantee."""
    document: Callable[[Claim, Counterexample], dict[str, Any]]
    """The counterexample's fields in results.json, without its trace's path.

    The schema describes them.
    """
    types: Mapping[str, str]
    """Variables of a counterexample's trace, with their types in Apalache's notation."""
    states: Callable[[Claim, Counterexample], list[dict[str, Any]]]
    """States of a counterexample's trace; each state has a value for every variable."""
    figure: Callable[[Claim, Counterexample], str] | None = None
    """The counterexample as a figure, in HTML or SVG with escaped text.

    Element ids begin with ``figure-``. None for kinds whose counterexamples are shown as steps.
    """
    limits: Callable[[Claim], Sequence[str]] = lambda claim: ()
    """Remarks on strategies for which a claim covers only some queues."""
    further: Mapping[str, Callable[[Claim], str]] = field(default_factory=dict)
    """Additional columns of the ledger: column name -> function that returns a claim's text."""
    chapters: Callable[[Sequence[Claim]], Sequence[str]] = lambda claims: ()
    """Additional chapters of the ledger's first page, in Markdown, generated from all claims."""
    strategies: Callable[[Claim], Sequence[str]] = lambda claim: ()
    """The strategies among a claim's subjects, by the names that users configure."""
    atlases: Callable[[Sequence[Claim]], Sequence[Atlas]] = lambda claims: ()
    """Overview tables (``report.atlas``) of the strategies that given claims are about."""
    trace_variables: Callable[[Counterexample], Sequence[TraceVariable]] | None = None
    """Display names of the trace's variables; None to use the variables' own names."""
    recorded: Callable[[Any], dict[tuple[str, str], str]] = lambda subject: {}
    """Recorded results that can be compared with a subject's code.

    The key is (client, part of the model) as in ``recorded.compared``; the value names client and version for readers.
    """
    groups: Callable[[Claim], Seen] | None = None
    """How recorded groups support a claim; None for kinds that recorded groups cannot support."""
    alike: Callable[[Claim], Sequence[Claim]] = lambda claim: ()
    """Claims that prove that two clients behave the same under this claim's assumptions."""
    played: Callable[[Claim, Counterexample], Played | None] | None = None
    """The counterexample's steps; None if they are the steps of the trace."""
    turns: Callable[[Counterexample], Played] | None = None
    """Steps for a terminal, for kinds that pages show as a figure; otherwise None."""
    again: Replayable | None = None
    """How to replay a counterexample from its trace.

    None if traces of this kind cannot be replayed.
    """
    enumeration: Enumeration | None = None
    """How reports print the kind's enumeration; None to report only failures."""
    indexed: Callable[[], Sequence[Mapping[str, Any]]] | None = None
    """Additional records for the index that are slow to compute, as JSON.

    None if there are none.
    """
    actions: Actions | None = None
    """Texts about the comparison of code and formulas, action by action.

    None if there is no such comparison.
    """
