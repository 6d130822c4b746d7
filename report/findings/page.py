"""Text of the findings page: a hand-written template, with claims, pictures and numbers filled in from the ledger."""

from collections.abc import Callable

from rebalance_proofs.model.subject import subject
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.allocation.caption import caption
from rebalance_proofs.report.claim_address import from_docs
from rebalance_proofs.report.english import group_size
from rebalance_proofs.report.findings.pictures import PICTURES
from rebalance_proofs.report.findings.tables import moves, pauses, survival
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.mark import EXPLAINED
from rebalance_proofs.report.marks import mark_of
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.see import see
from rebalance_proofs.report.seen import by_mark
from rebalance_proofs.report.smallest import smallest

CLAIMS = {claim.id: claim for claim in LEDGER}


def page() -> str:
    """The page in Markdown. Raises ``LookupError`` where the template contradicts the ledger about a claim."""
    template = environment(escapes=False).get_template("findings.md")
    return template.render(
        picture=picture,
        size=size,
        told=told,
        proved=links_to(Verdict.PROVED),
        refuted=links_to(Verdict.REFUTED),
        survival=survival(),
        moves=moves,
        pauses=pauses(),
        explained=EXPLAINED,
    )


def picture(name: str) -> str:
    """The picture's Markdown, with its caption as the text alternative, and the line below it."""
    words = " ".join(caption(PICTURES[name].example)).replace("[", "\\[").replace("]", "\\]")
    found = PICTURES[name]
    below = shows(found.claim) if found.size is None else real(found.claim)
    return f"![{words}](findings/{name}.svg)\n\n{below}"


def size(name: str) -> str:
    """Size of the picture's group: ``2 consumers, 1 queue``."""
    example = PICTURES[name].example
    return group_size((example.consumers, example.queues))


def told(id_: str) -> str:
    """The smallest counterexample of a claim about transitions, as a numbered story."""
    if id_ not in CLAIMS:
        raise LookupError(f"the page tells of {id_}, which the ledger does not have")
    claim = CLAIMS[id_]
    lines = shown(claim).lines(claim, smallest(claim))
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    return f"{numbered}\n\n{shows(claim)}"


def shows(claim: Claim) -> str:
    """Commands that show how a claim fails: step by step, and in all states of a small group."""
    step_by_step, *groups = see(claim)
    found = "".join(f"; found in a whole group: `{command}`" for command in groups)
    return f"Step by step: `{step_by_step}`{found}. {real(claim)}"


def real(claim: Claim) -> str:
    """The claim's mark: whether recordings of real clients stand behind it."""
    return f"Real clients: {mark_of(claim.id)}."


def called(claim: Claim) -> str:
    """Short name of a claim for running text: ``avg.disjoint`` for allocation.avg.disjoint.without-distinct-ids."""
    named, guarantee = subject(claim.subjects), claim.guarantee.name
    return f"`{named}`" if guarantee == claim.room else f"`{named}.{guarantee}`"


def links_to(verdict: Verdict) -> Callable[..., str]:
    """A function that links to claims by id, and raises ``LookupError`` if one is not expected to have that verdict."""

    def links(*ids: str) -> str:
        for id_ in ids:
            expected = CLAIMS[id_].expected if id_ in CLAIMS else None
            if expected is not verdict:
                raise LookupError(f"the page says that {id_} is {verdict}; the ledger says {expected}")
        return "; ".join(
            f"{verdict.lower()}, {mark}: {', '.join(f'[{called(CLAIMS[id_])}]({from_docs(id_)})' for id_ in own)}"
            for mark, own in by_mark(ids).items()
        )

    return links
