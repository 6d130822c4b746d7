"""How one kind of claim and its counterexamples are shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.atlas import Atlas
from rebalance_proofs.report.conformance import Seen
from rebalance_proofs.report.enumeration import Enumeration
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.replayable import Replayable
from rebalance_proofs.report.steps import Played
from rebalance_proofs.report.trace_variables import TraceVariable

Row = tuple[str, ...]
Cells = Mapping[tuple[Row, str], Sequence[Claim]]


@dataclass(frozen=True)
class Shown:
    """Everything that reports and pages need to know about a kind of claim."""

    families: tuple[Family, ...]
    """Families in display order; families that claims name besides follow after them."""
    family: Callable[[Claim], Family]
    row: Callable[[Claim], Row]
    """Row names of the claim in tables and lists; rows with the same first name are adjacent."""
    column: Callable[[Claim], str]
    """Column of the claim in its family's table."""
    cells: Callable[[Sequence[Claim]], Cells]
    """Cells of a family's table, row by row. A claim may fill several cells."""
    about: Callable[[Claim], str]
    """What the claim's guarantee looks at, in a sentence."""
    given: Callable[[Claim], str]
    """The circumstances that the claim supposes, in sentences."""
    listed: Callable[[Sequence[Claim]], tuple[str, tuple[str, ...]]]
    """(heading, a sentence for each claim below it), for claims that share their row's first name. No heading: empty.
    """
    label: Callable[[Any], str]
    """A subject's name for tables, as users know it: ``CONSISTENT_HASH (Go)``, ``Java 4.9.8``."""
    code: Callable[[Any], Any]
    """The subject's function or class that mirrors the client's code."""
    smallest: Callable[[Claim], Counterexample]
    """The smallest counterexample, by trying every case in order of size.

    Raises ``LookupError`` if there is none within the bounds.
    """
    size: Callable[[Counterexample], str]
    """The counterexample's size: ``2 consumers, 1 queue``."""
    lines: Callable[[Claim, Counterexample], tuple[str, ...]]
    """The counterexample in words: a sentence or two for each line; the last line says what is wrong."""
    document: Callable[[Claim, Counterexample], dict[str, Any]]
    """The counterexample's fields in results.json, apart from its trace's path; described in the schema."""
    types: Mapping[str, str]
    """Variables of its trace, with their types in Apalache's notation."""
    states: Callable[[Claim, Counterexample], list[dict[str, Any]]]
    """States of its trace; each has a value for every variable."""
    figure: Callable[[Claim, Counterexample], str] | None = None
    """The counterexample as a figure, in HTML or SVG with all text escaped; ids in it begin with ``figure-``.

    None for kinds that are shown by their steps.
    """
    limits: Callable[[Claim], Sequence[str]] = lambda claim: ()
    """Remarks on subjects that the claim covers only in part: ``MACHINE_ROOM (Java): over ...``."""
    further: Mapping[str, Callable[[Claim], str]] = field(default_factory=dict)
    """Additional columns of the ledger: name -> text for each claim."""
    chapters: Callable[[Sequence[Claim]], Sequence[str]] = lambda claims: ()
    """Additional chapters of the ledger's first page, made of all claims: Markdown, each with its heading."""
    strategies: Callable[[Claim], Sequence[str]] = lambda claim: ()
    """The strategies among its subjects, by the names that users configure."""
    atlases: Callable[[Sequence[Claim]], Sequence[Atlas]] = lambda claims: ()
    """Overview tables of these claims' subjects."""
    trace_variables: Callable[[Counterexample], Sequence[TraceVariable]] | None = None
    """Display names of the trace's variables; None to use the variables' own names."""
    recorded: Callable[[Any], dict[tuple[str, str], str]] = lambda subject: {}
    """Recorded results that can have been compared with a subject's code: client and part of the model, as
    ``recorded.compared`` counts them -> the client with its version, for people. Empty by default."""
    groups: Callable[[Claim], Seen] | None = None
    """What recorded groups show of a claim; None for kinds of which they show nothing."""
    alike: Callable[[Claim], Sequence[Claim]] = lambda claim: ()
    """Claims proving that two subjects do the same in this claim's world, in the modes of their own worlds."""
    played: Callable[[Claim, Counterexample], Played | None] | None = None
    """The counterexample's steps, for kinds whose steps are not those of the trace."""
    turns: Callable[[Counterexample], Played] | None = None
    """Steps for a terminal, for kinds that a page shows as a picture instead."""
    again: Replayable | None = None
    """How the counterexample is replayed from its trace; None if only the search can run it."""
    enumeration: Enumeration | None = None
    """How reports present the kind's enumeration; None to report only failures."""
    indexed: Callable[[], Sequence[Mapping[str, Any]]] | None = None
    """What answers need of the kind that takes long to compute, as JSON, for the index; None if nothing does."""
    actions: Actions | None = None
    """Words for a comparison of code and terms action by action; None if there is none."""
