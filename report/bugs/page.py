"""docs/bugs.md."""

from collections.abc import Iterable, Iterator
from itertools import chain

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.bugs.table import BUGS, ROOMS, Bug, Shown
from rebalance_proofs.report.claim_address import from_docs
from rebalance_proofs.report.kinds import shown as kind
from rebalance_proofs.report.markdown_tables import NOTHING
from rebalance_proofs.report.see import see
from rebalance_proofs.report.seen import EXPLAINED, together

__all__ = ["page"]

CLAIMS = {claim.id: claim for claim in LEDGER}
HEAD = """# Known bugs, by version

Which of the bugs that people have met, or that were read in the sources, are in which version. PRESENT: a claim that
would exclude it is refuted, and its counterexample shows it. ABSENT: it is proved, or proved under what is said there.
The claims say what exactly; they are of the versions that were read (Java 4.9.0 to 5.3.3). An issue may be about more
than that. `rebalance show CLAIM` tells each. The commands that are named last go step by step through how the first of
its claims fails, or find such a failure among all states of a small group.

*Real clients*, of the claims of a row; in part also where it is so of some of them alone. {seen} That a bug was
met by a real client is what its issue says.
"""


def page() -> str:
    """All of it."""
    return "\n".join((HEAD.format(seen=EXPLAINED), *_tables())).rstrip() + "\n"


def _tables() -> Iterator[str]:
    for room in ROOMS:
        yield f"## {room[0].upper()}{room[1:]}\n"
        yield "| bug | issue | where | real clients | to see it |"
        yield "|---|---|---|---|---|"
        for bug in BUGS:
            if bug.room == room:
                issue = f"[{bug.called}]({bug.address})" if bug.issue else "none known"
                yield f"| {bug.sentence} | {issue} | {'<br>'.join(_where(bug))} | {_mark(bug)} | {_see(bug)} |"
        yield ""


def _where(bug: Bug) -> Iterator[str]:
    if bug.present:
        yield f"PRESENT: {_listed(bug.present)}"
    if bug.absent:
        yield f"ABSENT: {_listed(bug.absent)}"
    if bug.not_modelled:
        yield f"NOT MODELLED: {bug.not_modelled}"


def _mark(bug: Bug) -> str:
    names = [one.claim for one in (*bug.present, *bug.absent)]
    return together(names) if names else NOTHING


def _see(bug: Bug) -> str:
    """Its first claim step by step, and each group in which one of them is seen to fail."""
    every = [see(CLAIMS[one.claim]) for one in bug.present]
    groups = () if bug.other_group else dict.fromkeys(chain.from_iterable(commands[1:] for commands in every))
    return "<br>".join(f"`{command}`" for command in (*(commands[0] for commands in every[:1]), *groups)) or NOTHING


def _listed(shown: Iterable[Shown]) -> str:
    return "; ".join(f"{one.versions or _of(one.claim)} ([`{one.claim}`]({from_docs(one.claim)}))" for one in shown)


def _of(name: str) -> str:
    claim = CLAIMS[name]
    return " and ".join(kind(claim).label(subject) for subject in claim.subjects)
