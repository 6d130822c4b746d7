"""How reports show one kind of claims: a record of functions, which each kind fills in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.atlas import Atlas
from rebalance_proofs.report.claims.enumeration import Actions, Enumeration
from rebalance_proofs.report.claims.steps import Played, TraceVariable
from rebalance_proofs.report.conformance import Seen
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.replayable import Replayable

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
