"""The part of docs/reference/symptoms.md about known bugs."""

from collections.abc import Iterable, Iterator
from itertools import chain

from rebalance_proofs.language import gettext, later
from rebalance_proofs.model.releases import JAVA, java_from
from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.marks import of_claims, word_of
from rebalance_proofs.report.see import see
from rebalance_proofs.report.symptoms.answer import bugs
from rebalance_proofs.report.symptoms.asked import by_id
from rebalance_proofs.report.symptoms.bugs import ROOMS, Bug, Said
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.text.grouped import grouped

TITLE = later("Known bugs, by version")
ADDRESS = "#known-bugs-by-version"
HEAD = (
    later(
        "These bugs were reported by users or found in the source. The versions that were read are {java},\n"
        "Go 2.1 and Node 3.12.2."
    ),
    later(
        "- **Present**: a counterexample refutes a claim that would exclude the bug.\n"
        "- **Absent**: the claim is proved, under the given condition if there is one.\n"
        "- **Causes** lists the causes on this page that have the bug.\n"
        "- **Reproduce** lists commands. `rebalance replay` shows step by step how the first claim fails. "
        "`rebalance explore`\n"
        "  finds such a failure among all states of a small group."
    ),
    later(
        "A claim states exactly what it covers (`rebalance show CLAIM --all`); an issue may cover more. The "
        "issue, not the claim,\n"
        "says whether a real client has a reported bug."
    ),
)
"""Paragraphs below the title."""


def known_bugs() -> Iterator[str]:
    """Yield a list of bugs for each subject."""
    title = gettext(TITLE)
    # Links lead to the English title, which has the anchor by itself.
    yield f"## {title}\n" if title == TITLE else f'<a id="{ADDRESS[1:]}"></a>\n\n## {title}\n'
    for part in HEAD:
        yield gettext(part).format(java=java_from(JAVA[0])) + "\n"
    for room, own in ROOMS.items():
        yield f"### {room}\n"
        for bug in own:
            yield from _bug(bug)
        yield ""


def link(bug: Bug) -> str:
    """Return a Markdown link to the bug's issue."""
    return f"[{bug.called}]({bug.address})" if bug.issue else gettext("No issue is known")


def _bug(bug: Bug) -> Iterator[str]:
    yield gettext('- <a id="{anchor}"></a>**{sentence}** {issue}.').format(
        anchor=bug.anchor, sentence=bug.sentence, issue=link(bug)
    )
    yield from _listed(gettext("Present"), bug.present)
    yield from _listed(gettext("Absent"), bug.absent)
    if bug.not_modelled:
        yield gettext("  - Not modelled: {reason}.").format(reason=bug.not_modelled)
    names = [cause.name for cause in CAUSES if any(bug in bugs(cause, effect) for effect in cause.effects)]
    if names:
        yield gettext("  - Causes: {causes}.").format(causes=gettext(", ").join(f"[{name}](#{name})" for name in names))
    else:
        yield gettext("  - Causes: none, because {reason}.").format(reason=bug.unseen)
    if commands := _see(bug):
        yield gettext("  - Reproduce: {commands}.").format(
            commands=gettext(", ").join(f"`{command}`" for command in commands)
        )


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
        yield gettext("  - {state}: {versions}. {claims}.").format(
            state=head,
            versions=gettext("; ").join(dict.fromkeys(_versions(one) for one in own)),
            claims=of_claims([one.claim for one in own], _claim),
        )


def _versions(one: Said) -> str:
    if one.versions:
        return str(one.versions)
    if not one.when:
        return _of(one.claim)
    return gettext("{client}, {condition}").format(client=_of(one.claim), condition=one.when)


def _claim(name: str) -> str:
    return f"[`{name}`]({from_docs(name)})"


def _of(name: str) -> str:
    return gettext(" and ").join(by_id(name).labels)
