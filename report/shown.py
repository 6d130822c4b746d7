"""How claims of one kind are shown, and the counterexamples to them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.again import Again
from rebalance_proofs.report.atlas import Atlas
from rebalance_proofs.report.enumeration import Enumeration
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.steps import Played
from rebalance_proofs.report.things import Thing

Row = tuple[str, ...]
Cells = Mapping[tuple[Row, str], Sequence[Claim]]


@dataclass(frozen=True)
class Shown:
    """All that reports and pages ask of a kind of claim."""

    families: tuple[Family, ...]
    """In the order in which they are shown; a claim may be in another one, which comes after them."""
    family: Callable[[Claim], Family]
    row: Callable[[Claim], Row]
    """Where the claim stands in lists; rows that share their first name stand together."""
    column: Callable[[Claim], str]
    """Of its family's table."""
    cells: Callable[[Sequence[Claim]], Cells]
    """The cells of a family's table, row by row. A claim may fill more than one of them."""
    about: Callable[[Claim], str]
    """What its guarantee looks at, in a sentence."""
    given: Callable[[Claim], str]
    """Under which circumstances, in sentences."""
    listed: Callable[[Sequence[Claim]], tuple[str, tuple[str, ...]]]
    """Of claims that share the first name of their row: what is said once above them (empty when nothing is), and each
    claim's sentence below that."""
    label: Callable[[Any], str]
    """A subject by the name that users know, for tables: ``CONSISTENT_HASH (Go)``, ``Java 4.9.8``."""
    code: Callable[[Any], Any]
    """The function or class of a subject that computes as the client does."""
    smallest: Callable[[Claim], Counterexample]
    """Found by trying every case from the smallest on; raises ``LookupError`` when there is none within the bounds."""
    size: Callable[[Counterexample], str]
    """How large it is: ``2 consumers, 1 queue``."""
    lines: Callable[[Claim, Counterexample], tuple[str, ...]]
    """The counterexample in words: a sentence or two a line; the last one says what is wrong."""
    document: Callable[[Claim, Counterexample], dict[str, Any]]
    """What results.json says of the counterexample besides where its trace lies; described in its schema."""
    types: Mapping[str, str]
    """The variables of its trace, with their types in Apalache's notation."""
    states: Callable[[Claim, Counterexample], list[dict[str, Any]]]
    """The states of its trace, in each of which every variable has a value."""
    figure: Callable[[Claim, Counterexample], str] | None = None
    """The counterexample drawn, as HTML or SVG in which all text is escaped; ids in it begin with ``figure-``. None
    where its steps tell all of it, whatever it is."""
    limits: Callable[[Claim], Sequence[str]] = lambda claim: ()
    """Which of its subjects a claim speaks of in part only: ``MACHINE_ROOM (Java): over ...``."""
    further: Mapping[str, Callable[[Claim], str]] = field(default_factory=dict)
    """What else the ledger says of each claim, in columns of these names."""
    chapters: Callable[[Sequence[Claim]], Sequence[str]] = lambda claims: ()
    """What the ledger's first page has besides, of all claims there are: Markdown, each with its heading."""
    strategies: Callable[[Claim], Sequence[str]] = lambda claim: ()
    """Those that its subjects are, by the names that users set; of other subjects none."""
    atlases: Callable[[Sequence[Claim]], Sequence[Atlas]] = lambda claims: ()
    """What else there is to look at, of the subjects of these claims."""
    things: Callable[[Counterexample], Sequence[Thing]] | None = None
    """What its trace's variables are, for whoever goes through a run step by step; else each goes by its name."""
    recorded: Callable[[Any], dict[tuple[str, str], str]] = lambda subject: {}
    """Which recorded results can have been compared with a subject's code: client and part of the model, as
    ``recorded.compared`` counts them -> the client with its version, for people. Unless the kind says so, none."""
    alike: Callable[[Claim], Sequence[Claim]] = lambda claim: ()
    """Claims that prove of two subjects that they do the same in this one's world, in the modes of their own worlds."""
    played: Callable[[Claim, Counterexample], Played | None] | None = None
    """The steps, where they are not those of its trace."""
    turns: Callable[[Counterexample], Played] | None = None
    """The steps for a terminal, where a page has a picture in their place."""
    again: Again | None = None
    """How it is run once more, from its trace; None where only the search runs it."""
    enumeration: Enumeration | None = None
    """How what was enumerated is told; None where only what is not as expected of it is."""
    actions: Actions | None = None
    """The same where code and terms are compared action by action."""
