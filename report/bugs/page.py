"""docs/bugs.md."""

from collections.abc import Iterable, Iterator

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.bugs.table import BUGS, ROOMS, Bug, Shown
from rebalance_proofs.report.kinds import shown as kind

__all__ = ["page"]

HEAD = """# Known bugs, by version

Which of the bugs that people have met, or that were read in the sources, are in which version. PRESENT: a claim that
would exclude it is refuted, and its counterexample shows it. ABSENT: it is proved, or proved under what is said there.
The claims say what exactly; they are of the versions that were read (Java 4.9.0 to 5.3.3). An issue may be about more
than that. `rebalance show CLAIM` tells each.
"""


def page() -> str:
    """All of it."""
    return "\n".join((HEAD, *_tables())).rstrip() + "\n"


def _tables() -> Iterator[str]:
    for room in ROOMS:
        yield f"## {room[0].upper()}{room[1:]}\n"
        yield "| bug | issue | where |"
        yield "|---|---|---|"
        for bug in BUGS:
            if bug.room == room:
                issue = f"[{bug.called}]({bug.address})" if bug.issue else "none known"
                yield f"| {bug.sentence} | {issue} | {'<br>'.join(_where(bug))} |"
        yield ""


def _where(bug: Bug) -> Iterator[str]:
    if bug.present:
        yield f"PRESENT: {_listed(bug.present)}"
    if bug.absent:
        yield f"ABSENT: {_listed(bug.absent)}"
    if bug.not_modelled:
        yield f"NOT MODELLED: {bug.not_modelled}"


def _listed(shown: Iterable[Shown]) -> str:
    return "; ".join(f"{one.versions or _of(one.claim)} ([`{one.claim}`](ledger.md#{one.claim}))" for one in shown)


def _of(name: str) -> str:
    (claim,) = (claim for claim in LEDGER if claim.id == name)
    return " and ".join(kind(claim).label(subject) for subject in claim.subjects)
