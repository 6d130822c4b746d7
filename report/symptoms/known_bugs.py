"""The part of docs/reference/symptoms.md about known bugs."""

from collections.abc import Iterable, Iterator
from itertools import chain

from rebalance_proofs.model.releases import JAVA, java_from
from rebalance_proofs.report.claim_address import from_docs
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.marks import of_claims, word_of
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

These bugs were reported by users or found in the source. The versions that were read are {java_from(JAVA[0])},
Go 2.1 and Node 3.12.2.

- **Present**: a counterexample refutes a claim that would exclude the bug.
- **Absent**: the claim is proved, under the given condition if there is one.
- **Causes** lists the causes on this page that have the bug.
- **Reproduce** lists commands. `rebalance replay` shows step by step how the first claim fails. `rebalance explore`
  finds such a failure among all states of a small group.

A claim states exactly what it covers (`rebalance show CLAIM --all`); an issue may cover more. The issue, not the claim,
says whether a real client has a reported bug.
"""


def known_bugs() -> Iterator[str]:
    """Yield a list of bugs for each subject."""
    yield HEAD
    for room, own in ROOMS.items():
        yield f"### {room}\n"
        for bug in own:
            yield from _bug(bug)
        yield ""


def link(bug: Bug) -> str:
    """Return a Markdown link to the bug's issue."""
    return f"[{bug.called}]({bug.address})" if bug.issue else "No issue is known"


def _bug(bug: Bug) -> Iterator[str]:
    yield f'- <a id="{bug.anchor}"></a>**{bug.sentence}** {link(bug)}.'
    yield from _listed("Present", bug.present)
    yield from _listed("Absent", bug.absent)
    if bug.not_modelled:
        yield f"  - Not modelled: {bug.not_modelled}."
    names = [cause.name for cause in CAUSES if any(bug in bugs(cause, effect) for effect in cause.effects)]
    yield f"  - Causes: {', '.join(f'[{name}](#{name})' for name in names) or f'none, because {bug.unseen}'}."
    if commands := _see(bug):
        yield f"  - Reproduce: {', '.join(f'`{command}`' for command in commands)}."


def _see(bug: Bug) -> tuple[str, ...]:
    """Return the commands that reproduce the bug.

    They replay its first claim, and explore each group where one of its claims fails.
    """
    every = [see(by_id(one.claim)) for one in bug.present]
    groups = () if bug.other_group else dict.fromkeys(chain.from_iterable(commands[1:] for commands in every))
    return (*(commands[0] for commands in every[:1]), *groups)


def _listed(head: str, said: Iterable[Said]) -> Iterator[str]:
    """Yield list items that start with ``head``, one for each conformance mark, with versions and their claims."""
    for own in grouped(said, lambda one: word_of(one.claim)).values():
        versions = "; ".join(dict.fromkeys(one.versions or _of(one.claim) for one in own))
        yield f"  - {head}: {versions}. {of_claims([one.claim for one in own], _claim)}."


def _claim(name: str) -> str:
    return f"[`{name}`]({from_docs(name)})"


def _of(name: str) -> str:
    return " and ".join(by_id(name).labels)
