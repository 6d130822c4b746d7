"""The page: its text is written by hand in a template, and names claims, pictures and numbers, which are looked up."""

from collections.abc import Callable

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.allocation.caption import caption
from rebalance_proofs.report.english import group_size
from rebalance_proofs.report.findings.pictures import PICTURES
from rebalance_proofs.report.findings.tables import moves, survival
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.ledger.stories import numbered
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.smallest import smallest


def page() -> str:
    """Markdown. Raises ``LookupError`` where the text says something else of a claim than the ledger does."""
    return (
        environment(escapes=False)
        .get_template("findings.md")
        .render(
            picture=picture,
            size=size,
            told=told,
            proved=links_to(Verdict.PROVED),
            refuted=links_to(Verdict.REFUTED),
            survival=survival(),
            moves=moves,
        )
    )


def picture(name: str) -> str:
    """The picture, with its caption for those who do not see it."""
    words = " ".join(caption(PICTURES[name].example)).replace("[", "\\[").replace("]", "\\]")
    return f"![{words}](findings/{name}.svg)"


def size(name: str) -> str:
    """``2 consumers, 1 queue``: how large the group of a picture is."""
    example = PICTURES[name].example
    return group_size((example.consumers, example.queues))


def told(id_: str) -> str:
    """The smallest counterexample of a claim about transitions, in words."""
    claim = next((claim for claim in LEDGER if claim.id == id_), None)
    if claim is None:
        raise LookupError(f"the page tells of {id_}, which the ledger does not have")
    return numbered(shown(claim).lines(claim, smallest(claim)))


def called(id_: str) -> str:
    """A claim's id in the running text: ``avg.disjoint`` for allocation.avg.disjoint.without-distinct-ids."""
    return f"`{'.'.join(id_.split('.')[1:3])}`"


def links_to(verdict: Verdict) -> Callable[..., str]:
    """Links to claims of which the text says that they come out so."""
    expected = {claim.id: claim.expected for claim in LEDGER}

    def links(*ids: str) -> str:
        for id_ in ids:
            if expected.get(id_) is not verdict:
                raise LookupError(f"the page says that {id_} is {verdict}; the ledger says {expected.get(id_)}")
        return f"{verdict.lower()}: " + ", ".join(f"[{called(id_)}](ledger.md#{id_})" for id_ in ids)

    return links
