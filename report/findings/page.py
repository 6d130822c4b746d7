"""The findings page: a template filled with claims, pictures, tables and numbers."""

from collections.abc import Callable

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.subject import subject
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.report.allocation.caption import summary
from rebalance_proofs.report.allocation.figure import picture as drawn
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.allocation.sentences import PREMISES_DROPPED
from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.claims.seen import by_mark, seen_of
from rebalance_proofs.report.findings.pictures import PICTURES
from rebalance_proofs.report.index.entries import together, word_of
from rebalance_proofs.report.kinds import family, shown, smallest
from rebalance_proofs.report.markdown_tables import NOTHING, table
from rebalance_proofs.report.names import subject as of_strategies
from rebalance_proofs.report.ordered.pauses import EVENTS_HEAD, HEAD, event_rows, rows
from rebalance_proofs.report.rendering import environment
from rebalance_proofs.report.see import see
from rebalance_proofs.report.text.english import capitalized, group_size
from rebalance_proofs.report.transition.document import BROKEN

CLAIMS = {claim.id: claim for claim in LEDGER}


def page() -> str:
    """Return the page in Markdown.

    Raises ``LookupError`` if the template contradicts the ledger about a claim.
    """
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
        events=events(),
    )


def picture(name: str) -> str:
    """Return the Markdown of the picture ``name``, with a text alternative and a line below it.

    The SVG file itself contains the whole caption.
    """
    found = PICTURES[name]
    words = " ".join(summary(found.example)).replace("[", "\\[").replace("]", "\\]")
    below = shows(found.claim) if found.size is None else real(found.claim)
    return f"![{words}](findings/{name}.svg)\n\n{below}"


def size(name: str) -> str:
    """Return the size of the group in the picture ``name``: ``2 consumers and 1 queue``."""
    example = PICTURES[name].example
    return group_size((example.consumers, example.queues)).replace(", ", " and ")


def told(id_: str) -> str:
    """Return a claim's smallest counterexample as Markdown: initial state, numbered steps, violation.

    Raises ``LookupError`` if the ledger does not have the claim.
    """
    if id_ not in CLAIMS:
        raise LookupError(f"the page shows {id_}, which the ledger does not have")
    claim = CLAIMS[id_]
    lines = shown(claim).lines(claim, smallest(claim))
    first = 2 if lines[-1].startswith(BROKEN) else 1
    numbered = "\n".join(
        f"{number}. {line.removeprefix(f'{number}. ')}" for number, line in enumerate(lines[first:-1], 1)
    )
    result = capitalized(lines[-1].removeprefix(BROKEN))
    return f"{' '.join(lines[:first])}\n\n{numbered}\n\nResult: {result}\n\n{shows(claim)}"


def shows(claim: Claim) -> str:
    """Return the claim's conformance mark, and the commands that replay its failure.

    One command replays the failure in one group, the other finds it among all states of a small group.
    """
    step_by_step, *groups = see(claim)
    found = "".join(f"; in all states of a small group: `{command}`" for command in groups)
    return f"Step by step: `{step_by_step}`{found}. {real(claim)}"


def real(claim: Claim) -> str:
    """Return the claim's conformance mark: how recordings of real clients support it."""
    return f"Real clients: {word_of(claim.id)}."


def called(claim: Claim) -> str:
    """Return a claim's short name for running text.

    ``avg.disjoint`` for allocation.avg.disjoint.without-distinct-ids.
    """
    named, guarantee = subject(claim.subjects), claim.guarantee.name
    return f"`{named}`" if guarantee == claim.room else f"`{named}.{guarantee}`"


def links_to(verdict: Verdict) -> Callable[..., str]:
    """Return a function that links to claims by id.

    The function raises ``LookupError`` if the expected verdict of a claim is another one.
    """

    def links(*ids: str) -> str:
        for id_ in ids:
            expected = CLAIMS[id_].expected if id_ in CLAIMS else None
            if expected is not verdict:
                raise LookupError(f"the page marks {id_} as {verdict}; the ledger expects {expected}")
        return "; ".join(
            f"{verdict.lower()}, {mark}: {', '.join(f'[{called(CLAIMS[id_])}]({from_docs(id_)})' for id_ in own)}"
            for mark, own in by_mark(ids).items()
        )

    return links


CONSEQUENCES = {"disjoint": "duplicate", "covers": "no reader"}
"""What can happen to a queue if a guarantee fails, by the guarantee's name."""


def survival() -> str:
    """Return a table of strategies and dropped assumptions: can a queue get two readers, or none?"""
    claims = [claim for claim in LEDGER if family(claim) == PREMISES_DROPPED]
    premises = [world for world in PREMISES if any(claim.world.name == world.name for claim in claims)]
    subjects = dict.fromkeys(of_strategies(claim.subjects) for claim in claims if len(claim.subjects) == 1)
    rows = []
    for world in premises:
        about = [claim for claim in claims if claim.world.name == world.name]
        rows.append((world.otherwise, *(_cell(name, about) for name in subjects)))
    rows.append(("*real clients*", *(str(together([one.id for one in _own(name, claims)])) for name in subjects)))
    return table(("when", *subjects), rows)


def _cell(name: str, claims: list[Claim]) -> str:
    own = _own(name, claims)
    lost: dict[str, Claim] = {}
    for claim in own:
        if claim.expected is Verdict.REFUTED:
            lost.setdefault(CONSEQUENCES[claim.guarantee.name], claim)
    said = " or ".join(f"[{consequence}]({from_docs(claim.id)})" for consequence, claim in lost.items())
    return said or (NOTHING if not own else "neither")


def _own(name: str, claims: list[Claim]) -> list[Claim]:
    """Return the claims about the strategy alone.

    Without any, the claims about it together with another strategy.
    """
    own = [claim for claim in claims if of_strategies(claim.subjects) == name]
    return own or [claim for claim in claims if name in of_strategies(claim.subjects).split(" + ")]


def moves(queues: int, consumers: int) -> str:
    """Return a table of the queues that move when one consumer joins ``consumers`` others.

    The number depends on the position of the new consumer in the sort order.
    """
    places = {"first": 0, "in the middle": (consumers + 1) // 2, "last": consumers}
    rows = []
    for strategy in (AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH):
        groups = [JOINS.group((strategy,), consumers + 1, queues, (place,)) for place in places.values()]
        counted = (str(changed_hands(group, group.allocate())) for group in groups)
        rows.append((strategy.rocketmq_name, *counted, str(seen_of(ALLOCATION, (strategy,)).mark)))
    return table(("strategy", *(f"joiner sorts {name}" for name in places), "real clients"), rows)


def pauses() -> str:
    """Return a table of the longest pause of an ordered queue that changes owners, by client."""
    return table(HEAD, rows())


def events() -> str:
    """Return a table of the longest pause of an ordered queue around one and two events, by client."""
    return table(EVENTS_HEAD, event_rows())


def files() -> dict[str, str]:
    """Return the text of the page and of each picture by its path below ``docs/reference``."""
    pictures = {f"findings/{name}.svg": drawn(found.example) for name, found in PICTURES.items()}
    return {"findings.md": page()} | pictures
