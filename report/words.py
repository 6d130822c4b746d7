"""Sentences and terminal lines about findings (results of the enumerator) of one kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.report.english import count
from rebalance_proofs.spark_enum.results import Finding


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
