"""Report whether client code and the solver's formulas do the same in each action, from many states."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.report.english import count
from rebalance_proofs.report.enumeration import Enumeration
from rebalance_proofs.report.rows import Row
from rebalance_proofs.report.words import Words
from rebalance_proofs.spark_enum.results import ONE_IN, Enumerated, Finding


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
