"""Sentences and terminal lines about findings (results of the enumerator) of one kind."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rebalance_proofs.report.text.english import count, duration
from rebalance_proofs.spark_enum.results import ONE_IN, Enumerated, Finding


@dataclass(frozen=True)
class Words:
    """Texts about one kind of finding, with placeholders in braces that ``said`` fills in."""

    missing: str = "{counted} compared, the closed form says {found.expected:,}"
    """Sentence for a finding in which some case was missed or counted twice."""
    differing: str = "both sides differ in {differing}, first: {found.first}"
    broken: Mapping[str, str] = field(default_factory=dict)
    """Property that a finding should have -> sentence for a finding without it."""
    noun: str = "case"
    meant: str = ""
    """The two compared implementations, in words."""
    suite: str = "enumeration"
    """Name of the suite in JUnit XML; empty if the finding is not a test there."""
    place: str = ""
    """Class name of the tests in JUnit XML."""
    by_subject: bool = False
    """Whether a test's name in JUnit XML is the finding's strategy or client, with one finding each."""
    size: tuple[str, str] = ("consumers", "queues")
    """Units of the two numbers in a case's size: (consumers, queues)."""
    line: str = "compared {found.name}: {met}"
    """Beginning of the terminal line about a finding."""
    cases: str = ""
    """Key of ``Finding.numbers`` for the number of cases.

    Empty if everything enumerated is a case.
    """
    beside: str = ""
    """Property in ``broken`` whose violations also count as differing cases."""
    more: Callable[[Finding], Mapping[str, str]] = lambda found: {}
    """``more(found)``: values of further placeholders."""

    def said(self, found: Finding, sentence: str, number: int = 0) -> str:
        """Fill in the placeholders of a sentence about the finding.

        ``number``: number of cases in it.
        """
        counted, expected = count(found.counted, self.noun), count(found.expected, self.noun)
        return sentence.format(
            found=found,
            counted=counted,
            expected=expected,
            together=f", q + c <= {found.bounds['together']}" if "together" in found.bounds else "",
            met=counted if found.complete else f"{found.counted:,} of {expected}",
            differing=count(found.differing, self.noun),
            number=f"{number:,}",
            sizes=count(number, "size"),
            **self.more(found),
        )

    def failures(self, found: Finding) -> tuple[str, ...]:
        """Return a sentence for each failure of the finding, beginning with the finding's name."""
        said = [] if found.complete else [self.said(found, self.missing)]
        if found.differing:
            said.append(self.said(found, self.differing))
        for name, number in found.broken.items():
            if number and name in self.broken:
                said.append(self.said(found, self.broken[name], number))
        return tuple(f"{found.name}: {sentence}" for sentence in dict.fromkeys(said))

    def told(self, found: Finding) -> str:
        """Return a terminal line about the finding: enumerated cases, failures, and digest.

        ``failures`` has the details.
        """
        wrong, digest = bool(self.failures(found)), f"digest {found.digest}"
        if self.broken:  # every property must hold
            outcome = ["BAD" if wrong else "as proved", digest]
        else:
            broken = ", ".join(f"{name} {broken:,}" for name, broken in found.broken.items() if broken)
            outcome = [f"violated: {broken}" if broken else "no violation", digest, *(["BAD"] if wrong else [])]
        return "; ".join([self.said(found, self.line), *outcome])


# Rows of tables about findings, the results of the enumerator.


@dataclass(frozen=True)
class Row:
    """A row of a table: the totals of one or several findings (results of the enumerator) of one kind."""

    findings: Sequence[Finding]
    words: Words

    @property
    def first(self) -> Finding:
        """The first finding, for properties that all findings of the row share."""
        return self.findings[0]

    @property
    def meant(self) -> str:
        """The two implementations that are compared, in words."""
        return self.words.meant

    @property
    def cases(self) -> int:
        """Number of cases that were run."""
        return sum(found.numbers.get(self.words.cases, found.counted) for found in self.findings)

    @property
    def expected(self) -> int:
        """Number of cases that a closed form requires."""
        return sum(found.expected for found in self.findings)

    @property
    def complete(self) -> bool:
        """True if every case was run exactly once."""
        return all(found.complete for found in self.findings)

    @property
    def differing(self) -> int:
        """Number of cases in which the two compared implementations differ."""
        return sum(found.differing + found.broken.get(self.words.beside, 0) for found in self.findings)

    @property
    def seconds(self) -> float:
        """Total computing time in s."""
        return sum(found.seconds for found in self.findings)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The failures of the findings, as sentences."""
        return tuple(said for found in self.findings for said in self.words.failures(found))

    @property
    def bad(self) -> int:
        """Number of findings with a failure."""
        return sum(bool(self.words.failures(found)) for found in self.findings)

    @property
    def counted(self) -> str:
        """Number of cases with its noun: ``1,200 cases``."""
        return count(self.cases, self.words.noun)


# How reports present the findings (results of the enumerator) about one kind of claims.

Cells = Sequence[str | int]


@dataclass(frozen=True)
class Table:
    """A table for the Markdown summary of a run, which omits tables without rows."""

    title: str
    """The heading; empty for a table that continues the text above."""
    header: Sequence[str]
    rows: Sequence[Cells]


@dataclass(frozen=True)
class Enumeration:
    """How to present a kind's findings.

    Each function gets all findings, and selects those of its kind.
    """

    words: Mapping[str, Words]
    """Texts by kind of finding, in the order of the JUnit suites."""
    facts: Callable[[Enumerated], Iterator[str]]
    """``facts(found)`` yields phrases with the amount of enumerated groups or cases.

    None if nothing was enumerated.
    """
    lines: Callable[[Sequence[Finding], bool], Iterator[str]]
    """``lines(found, verbose)`` yields terminal lines about a Spark job's findings.

    Similar findings share a line.
    """
    closing: Callable[[Enumerated], Iterator[str]] = lambda found: iter(())
    """``closing(found)`` yields the last lines of a command, about the results of comparisons."""
    tables: Callable[[Enumerated], Iterator[Table | str]] = lambda found: iter(())
    """``tables(found)`` yields the tables and sentences of the Markdown summary."""
    template: str = ""
    """File name of the page's template for the findings; may be empty."""
    given: Callable[[Enumerated], Mapping[str, Any]] = lambda found: {}
    """``given(found)`` returns the variables of the template."""
    filters: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    """Further filters of the template, by name."""

    def row(self, *found: Finding) -> Row:
        """Return a table row with the totals of the given findings, which are of one kind."""
        return Row(found, self.words[found[0].kind])

    def rows(self, found: Sequence[Finding]) -> list[Row]:
        """Return one table row for each finding."""
        return [self.row(one) for one in found]


def cells(row: Row, name: str, how_far: str | int, *more: str) -> Cells:
    """Return the usual cells of a table row.

    These are verdict, ``name``, ``how_far`` (bounds), cases run, cases required, ``more``, cases that differ, and time.
    """
    return (
        "❌" if row.wrong else "✅",
        name,
        how_far,
        f"{row.cases:,}",
        f"{row.expected:,}",
        *more,
        f"{row.differing:,}",
        duration(row.seconds),
    )


def failing(rows: Sequence[Row], header: Sequence[str], told: Callable[[Row], Cells]) -> Table:
    """Return a table of only those rows that have failures; ``told`` returns a row's cells."""
    return Table("", header, [(row.first.name, *told(row)) for row in rows if row.wrong])


# Report whether client code and the solver's formulas do the same in each action, from many states.


@dataclass(frozen=True)
class Actions:
    """Texts for the report on one such comparison."""

    finding: str
    """Value of ``Finding.kind`` for the comparison's results."""
    called: str
    """Name of the compared subject: ``pull requests``."""
    counted: str
    """Phrase after the number of actions: ``with pull requests``."""
    state: str
    """What is in the states from which actions start: ``a queue's pull requests``."""
    code: str = "the client's code"
    """The code that is compared with the formulas."""

    def enumeration(self, kind: str) -> Enumeration:
        """Return how reports present the comparison; ``kind``: name of the kind of claims."""
        meant = f"{self.code} with the compiled terms, one action from each state of {self.state}; one in four if quick"
        words = Words(meant=meant, noun="action", suite=kind, place=f"{kind}.actions")

        def facts(enumerated: Enumerated) -> Iterator[str]:
            found = enumerated.of(self.finding)
            if found:
                yield f"{Row(found, words).counted} {self.counted} compared{_some(found)}"

        def lines(found: Sequence[Finding], verbose: bool) -> Iterator[str]:
            own = Row([one for one in found if one.kind == self.finding], words)
            if own.findings:
                clients, outcome = count(len(own.findings), "client"), "BAD" if own.wrong else "all agree"
                yield f"compared {self.called}, {clients}: {own.counted}{_some(own.findings)}, {outcome}"

        return Enumeration({self.finding: words}, facts, lines)


def _some(found: Sequence[Finding]) -> str:
    """Return which share of the states was tried, in words; empty if all were."""
    many = {one.bounds.get(ONE_IN, 1) for one in found}
    return f", from one state in {max(many)}" if max(many) > 1 else ""
