"""``rebalance list``."""

import json

import click

from proofs.ledger import select


@click.command("list")
@click.argument("claims", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print the ledger as JSON.")
def list_(claims: tuple[str, ...], as_json: bool) -> None:
    """Show the ledger: every claim, its expected verdict, its sentence.

    \b
    Example:
      rebalance list 'allocation.*.disjoint'
    """
    chosen = select(claims)
    if as_json:
        rows = [
            {
                "id": claim.id,
                "sentence": claim.sentence,
                "expected": claim.expected,
                "scope": claim.scope,
                "source": claim.source,
            }
            for claim in chosen
        ]
        click.echo(json.dumps(rows, indent=2))
        return
    width = max(len(claim.id) for claim in chosen)
    for claim in chosen:
        click.echo(f"{claim.expected:8} {claim.id:{width}}  {claim.sentence}")
