"""All claims: a section a family, with its table of verdicts, and then every claim in a row."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.failing import failing
from rebalance_proofs.report.families import PREMISES_DROPPED, PROMISES, family, in_order, listed, row
from rebalance_proofs.report.ledger.cells import NOTHING, anchor, mark, source_link, table
from rebalance_proofs.report.ledger.remarks import remark
from rebalance_proofs.report.ledger.stories import stories
from rebalance_proofs.report.matrix import Matrix, arranged
from rebalance_proofs.report.names import readable

MANY = 2
"""So many claims of a family deserve a table of verdicts."""


def all_claims(claims: Sequence[Claim]) -> str:
    """The sections."""
    return "\n\n".join(part for matrix in arranged(claims, lambda claim: claim) for part in _section(matrix, claims))


def _section(matrix: Matrix[Claim], claims: Sequence[Claim]) -> Iterator[str]:
    own = [claim for claim in in_order(claims) if family(claim) == matrix.family]
    yield f"## {matrix.family.title}"
    if matrix.family.sentence:
        yield matrix.family.sentence
    if matrix.family == PROMISES:
        yield f"The premises: {own[0].world.sentence}"
    elif len(own) >= MANY:
        yield verdicts(matrix)
    if matrix.family.spelled_out:
        for _, promised in groupby(own, key=lambda claim: row(claim)[0]):
            yield from _promise(list(promised))
    elif matrix.family == PREMISES_DROPPED:
        for world in dict.fromkeys(claim.world.name for claim in own):
            found = [claim for claim in own if claim.world.name == world]
            yield f"### {world}"
            first = found[0].world
            yield f"{first.sentence} {first.without} {source_link(first.source)}"
            yield _rows(found)
    else:
        yield _rows(own)


def _promise(claims: Sequence[Claim]) -> Iterator[str]:
    """All claims about one promise, and what happened where it is broken."""
    heading, sentences = listed(claims)
    name, _, promised = heading.partition(": ")
    yield f"### {name}"
    sources = dict.fromkeys(source_link(claim.source) for claim in claims)
    yield " ".join([f"{promised[:1].upper()}{promised[1:]}."] * bool(promised) + list(sources))
    yield _rows(claims, sentences, also=(("can throw or fail", lambda claim: failing(claim.world)),))
    yield from stories(claim for claim in claims if claim.expected is Verdict.REFUTED)


def verdicts(matrix: Matrix[Claim]) -> str:
    """Strategies in rows, guarantees in columns; a mark leads to its claim."""
    rows = [
        (
            *(row if matrix.span(place) else ("", *row[1:])),
            *(mark(matrix.cell(row, column)) for column in matrix.columns),
        )
        for place, row in enumerate(matrix.rows)
    ]
    corner = [name.lower() for name in matrix.family.corner]
    return "\n\n".join([table((*corner, *matrix.columns), rows), *matrix.notes])


def _rows(
    claims: Sequence[Claim], sentences: Sequence[str] = (), also: Sequence[tuple[str, Callable[[Claim], str]]] = ()
) -> str:
    """A row a claim; ``sentences`` are theirs where a heading says a part of them, ``also`` what has a column too."""
    header = ("claim", "sentence", *(name for name, _ in also), "expected", "obligations")
    told = sentences or [readable(claim.sentence) for claim in claims]
    return table(
        header,
        (
            (
                anchor(claim),
                sentence,
                *(said(claim) for _, said in also),
                f"{claim.expected}{remark(claim)}, {claim.scope}",
                ", ".join(f"`{step.name}`" for step in claim.obligations) or NOTHING,
            )
            for claim, sentence in zip(claims, told, strict=True)
        ),
    )
