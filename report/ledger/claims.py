"""All claims: a section a family, with its table of verdicts, and then every claim in a row."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.report.allocation.places import PREMISES_DROPPED, PROMISES
from rebalance_proofs.report.english import capitalized
from rebalance_proofs.report.families import by_family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.ledger.remarks import remark
from rebalance_proofs.report.ledger.stories import stories
from rebalance_proofs.report.markdown_tables import NOTHING, anchor, mark, source_link, table
from rebalance_proofs.report.matrix import Matrix, arranged
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.seen import seen

MANY = 2
"""So many claims of a family deserve a table of verdicts."""


def all_claims(claims: Sequence[Claim]) -> str:
    """The sections."""
    own = by_family(claims, lambda claim: claim)
    tables = arranged(claims, lambda claim: claim)
    return "\n\n".join(part for matrix in tables for part in _section(matrix, own[matrix.family]))


def _section(matrix: Matrix[Claim], own: Sequence[Claim]) -> Iterator[str]:
    yield f"## {matrix.family.title}"
    if matrix.family.sentence:
        yield matrix.family.sentence
    if matrix.family == PROMISES:
        yield f"The premises: {own[0].world.sentence}"
    elif len(own) >= MANY:
        yield verdicts(matrix)
    if matrix.family.spelled_out:
        for promised in grouped(own, lambda claim: shown(claim).row(claim)[0]).values():
            yield from _promise(promised)
    elif matrix.family == PREMISES_DROPPED:
        for name, found in grouped(own, lambda claim: claim.world.name).items():
            yield f"### {name}"
            first = found[0].world
            yield f"{first.sentence} {first.without} {source_link(first.source)}"
            yield _rows(found)
    else:
        yield _rows(own)


def _promise(claims: Sequence[Claim]) -> Iterator[str]:
    """All claims about one promise, and what happened where it is broken."""
    heading, sentences = shown(claims[0]).listed(claims)
    name, _, promised = heading.partition(": ")
    yield f"### {name}"
    sources = dict.fromkeys(source_link(claim.source) for claim in claims)
    yield " ".join([f"{capitalized(promised)}."] * bool(promised) + list(sources))
    yield _rows(claims, sentences)
    yield from stories(claim for claim in claims if claim.expected is Verdict.REFUTED)


def verdicts(matrix: Matrix[Claim]) -> str:
    """Strategies in rows, guarantees in columns; a mark leads to its claim."""
    rows = [
        (*names, *(mark(matrix.cell(row, column)) for column in matrix.columns))
        for names, row in zip(matrix.names(), matrix.rows, strict=True)
    ]
    corner = [name.lower() for name in matrix.family.corner]
    return "\n\n".join([table((*corner, *matrix.columns), rows), *matrix.notes])


def _rows(claims: Sequence[Claim], sentences: Sequence[str] = ()) -> str:
    """A row a claim; ``sentences`` are theirs where a heading says a part of them."""
    further = shown(claims[0]).further
    header = ("claim", "sentence", *further, "expected", "real clients", "obligations")
    told = sentences or [readable(claim.sentence) for claim in claims]
    return table(
        header,
        (
            (
                anchor(claim),
                sentence,
                *(said(claim) for said in further.values()),
                f"{claim.expected}{remark(claim)}, {claim.scope}",
                seen(claim).mark,
                ", ".join(f"`{step.name}`" for step in claim.obligations) or NOTHING,
            )
            for claim, sentence in zip(claims, told, strict=True)
        ),
    )
