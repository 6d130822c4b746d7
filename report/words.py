"""How findings of one kind are told: sentences about what is not as expected, and a line on a terminal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rebalance_proofs.report.english import count
from rebalance_proofs.spark_enum.results import Finding

__all__ = ["Words"]


@dataclass(frozen=True)
class Words:
    """Of one kind of finding. What is in braces is filled in by ``said``."""

    missing: str = "{counted} compared, the closed form says {found.expected:,}"
    """Not every case was met once."""
    differing: str = "both sides differ in {differing}, first: {found.first}"
    broken: Mapping[str, str] = field(default_factory=dict)
    """What is not broken in a finding that is as expected -> what is to be said when it is."""
    noun: str = "case"
    meant: str = ""
    """What is compared with what."""
    suite: str = "enumeration"
    """Of JUnit XML; empty for what is no test."""
    place: str = ""
    """The class name there."""
    by_subject: bool = False
    """There it goes by its subject, which no other finding of the kind has."""
    size: tuple[str, str] = ("consumers", "queues")
    """What the size of a case tells."""
    line: str = "compared {found.name}: {met}"
    """How the line on a terminal begins."""
    cases: str = ""
    """The number of the finding that says how many cases there were, where some that were met are none."""
    beside: str = ""
    """What is broken in cases that differ, too."""
    more: Callable[[Finding], Mapping[str, str]] = lambda found: {}
    """What else there is to be filled in."""

    def said(self, found: Finding, sentence: str, number: int = 0) -> str:
        """One of the sentences about the finding; ``number`` is in how many cases it is so."""
        counted, expected = count(found.counted, self.noun), count(found.expected, self.noun)
        return sentence.format(
            found=found,
            counted=counted,
            expected=expected,
            met=counted if found.complete else f"{found.counted:,} of {expected}",
            differing=count(found.differing, self.noun),
            number=f"{number:,}",
            sizes=count(number, "size"),
            **self.more(found),
        )

    def failures(self, found: Finding) -> tuple[str, ...]:
        """What is not as expected about it; each names it."""
        said = [] if found.complete else [self.said(found, self.missing)]
        if found.differing:
            said.append(self.said(found, self.differing))
        for name, number in found.broken.items():
            if number and name in self.broken:
                said.append(self.said(found, self.broken[name], number))
        return tuple(f"{found.name}: {sentence}" for sentence in dict.fromkeys(said))

    def told(self, found: Finding) -> str:
        """What was enumerated and what broke; what is not as expected of it is told at the end."""
        wrong, digest = bool(self.failures(found)), f"digest {found.digest}"
        if self.broken:  # nothing of it may be broken
            outcome = ["BAD" if wrong else "as proved", digest]
        else:
            broken = ", ".join(f"{name} {broken:,}" for name, broken in found.broken.items() if broken)
            outcome = [f"violated: {broken}" if broken else "no violation", digest, *(["BAD"] if wrong else [])]
        return "; ".join([self.said(found, self.line), *outcome])
