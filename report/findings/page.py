"""The page: its text is written by hand in a template, and names claims, pictures and numbers, which are looked up."""

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
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.see import see
from rebalance_proofs.report.seen import EXPLAINED, by_mark, mark_of
from rebalance_proofs.report.smallest import smallest

CLAIMS = {claim.id: claim for claim in LEDGER}


def page() -> str:
    """Markdown. Raises ``LookupError`` where the text says something else of a claim than the ledger does."""
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
    """The picture, with its caption for those who do not see it."""
    words = " ".join(caption(PICTURES[name].example)).replace("[", "\\[").replace("]", "\\]")
    found = PICTURES[name]
    below = shows(found.claim) if found.size is None else real(found.claim)
    return f"![{words}](findings/{name}.svg)\n\n{below}"


def size(name: str) -> str:
    """``2 consumers, 1 queue``: how large the group of a picture is."""
    example = PICTURES[name].example
    return group_size((example.consumers, example.queues))


def told(id_: str) -> str:
    """The smallest counterexample of a claim about transitions, in words."""
    if id_ not in CLAIMS:
        raise LookupError(f"the page tells of {id_}, which the ledger does not have")
    claim = CLAIMS[id_]
    lines = shown(claim).lines(claim, smallest(claim))
    numbered = "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    return f"{numbered}\n\n{shows(claim)}"


def shows(claim: Claim) -> str:
    """The commands that show how a claim fails: step by step, and in all states of a small group."""
    step_by_step, *groups = see(claim)
    found = "".join(f"; found in a whole group: `{command}`" for command in groups)
    return f"Step by step: `{step_by_step}`{found}. {real(claim)}"


def real(claim: Claim) -> str:
    """Whether real clients were seen."""
    return f"Real clients: {mark_of(claim.id)}."


def called(claim: Claim) -> str:
    """A claim in the running text: ``avg.disjoint`` for allocation.avg.disjoint.without-distinct-ids."""
    named, guarantee = subject(claim.subjects), claim.guarantee.name
    return f"`{named}`" if guarantee == claim.room else f"`{named}.{guarantee}`"


def links_to(verdict: Verdict) -> Callable[..., str]:
    """Links to claims of which the text says that they come out so."""

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
