"""The part of docs/reference/symptoms.md about known bugs."""

from collections.abc import Iterable, Iterator
from itertools import chain

from rebalance_proofs.report.claim_address import from_docs
from rebalance_proofs.report.markdown_tables import NOTHING
from rebalance_proofs.report.marks import together
from rebalance_proofs.report.see import see
from rebalance_proofs.report.symptoms.answer import bugs
from rebalance_proofs.report.symptoms.asked import by_id
from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs import ROOMS
from rebalance_proofs.report.symptoms.causes import CAUSES

__all__ = ["ADDRESS", "known_bugs", "link"]

TITLE = "Known bugs, by version"
ADDRESS = "#known-bugs-by-version"
HEAD = f"""## {TITLE}

Which of the bugs that people have met, or that were read in the sources, are in which version. PRESENT: a claim that
would exclude it is refuted, and its counterexample shows it. ABSENT: it is proved, or proved under what is said there.
The claims say what exactly; they are of the versions that were read (Java 4.9.0 to 5.3.3, Go 2.1, Node 3.12.2). An
issue may be about more than that. `rebalance show CLAIM` tells each, `rebalance why CAUSE` the causes that a bug is
behind. The commands that are named last go step by step through how the first of its claims fails, or find such a
failure among all states of a small group.

*Real clients*, of the claims of a row; in part also where it is so of some of them alone. That a bug was met by a real
client is what its issue says.
"""


def known_bugs() -> Iterator[str]:
    """A table a room."""
    yield HEAD
    for room, own in ROOMS.items():
        yield f"### {room}\n"
        yield "| bug | issue | where | real clients | behind | to see it |"
        yield "|---|---|---|---|---|---|"
        for bug in own:
            cells = (bug.sentence, link(bug), "<br>".join(_where(bug)), _mark(bug), _behind(bug), _see(bug))
            yield f"| {' | '.join(cells)} |"
        yield ""


def link(bug: Bug) -> str:
    """To the issue."""
    return f"[{bug.called}]({bug.address})" if bug.issue else "none known"


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


def _behind(bug: Bug) -> str:
    """Its causes, or why it has none."""
    names = [cause.name for cause in CAUSES if any(bug in bugs(cause, effect) for effect in cause.effects)]
    return ", ".join(f"`{name}`" for name in names) or f"none: {bug.unseen}"


def _see(bug: Bug) -> str:
    """Its first claim step by step, and each group in which one of them is seen to fail."""
    every = [see(by_id(one.claim)) for one in bug.present]
    groups = () if bug.other_group else dict.fromkeys(chain.from_iterable(commands[1:] for commands in every))
    return "<br>".join(f"`{command}`" for command in (*(commands[0] for commands in every[:1]), *groups)) or NOTHING


def _listed(said: Iterable[Said]) -> str:
    return "; ".join(f"{one.versions or _of(one.claim)} ([`{one.claim}`]({from_docs(one.claim)}))" for one in said)


def _of(name: str) -> str:
    return " and ".join(by_id(name).labels)
