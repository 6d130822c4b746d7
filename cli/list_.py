"""``rebalance list``."""

import json
from collections.abc import Iterator, Sequence

import click

from rebalance_proofs.cli.options import CLAIMS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.families import by_family, family, limits
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable


@click.command("list", epilog=CLAIMS)
@click.argument("claims", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the ledger as JSON.")
def list_(claims: tuple[str, ...], as_json: bool) -> None:
    """Show the ledger: every claim, its expected verdict, its sentence. Lines with a # are headings.

    \b
    Example:
      rebalance list 'allocation.*.disjoint'
    """
    chosen = select(claims)
    if as_json:
        rows = [
            {
                "id": claim.id,
                "family": family(claim).name,
                "sentence": readable(claim.sentence),
                "expected": claim.expected,
                "scope": claim.scope,
                "source": claim.source,
            }
            for claim in chosen
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    click.echo("\n".join(lines(chosen)))


def lines(claims: Sequence[Claim]) -> Iterator[str]:
    """Family by family, and within one strategy by strategy, premise by premise, or promise by promise."""
    for number, (kind, own) in enumerate(by_family(claims).items()):
        if number:
            yield ""
        yield f"# {kind.title}"
        yield from (f"# {limit}" for limit in limits(own))
        groups = list(grouped(own, lambda claim: shown(claim).row(claim)[0]).values())
        width = max(len(claim.id) for claim in own)
        for place, group in enumerate(groups):
            if place and max(map(len, groups)) > 1:
                yield ""
            heading, sentences = shown(group[0]).listed(group)
            if heading:
                yield f"# {heading}"
            for claim, sentence in zip(group, sentences, strict=True):
                yield f"{claim.expected:8} {claim.id:{width}}  {sentence}"
