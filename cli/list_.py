"""``rebalance list``."""

import json
from collections.abc import Sequence
from itertools import groupby

import click

from proofs.claim import Claim
from proofs.ledger import select
from report.families import PREMISES_DROPPED, family, in_order, over, row
from report.names import readable, short_label


@click.command("list")
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
    groups = [list(group) for _, group in groupby(in_order(chosen), key=_group)]
    for number, group in enumerate(groups):
        if number:
            click.echo()
        click.echo(f"# {heading(group)}")
        for limit in dict.fromkeys(f"{short_label(c.strategies[0])}: {over(c)}" for c in group if over(c)):
            click.echo(f"# {limit}")
        width = max(len(claim.id) for claim in group)
        for claim in group:
            click.echo(f"{claim.expected:8} {claim.id:{width}}  {sentence(claim)}")


def _group(claim: Claim) -> tuple[str, str]:
    """What claims under one heading have in common."""
    return family(claim).name, row(claim)[0]


def heading(group: Sequence[Claim]) -> str:
    """``One topic, all premises hold: AVG``, ``One topic, without a premise: a client id stands twice in cidAll``."""
    first = group[0]
    if family(first) == PREMISES_DROPPED:
        return f"{family(first).title} ({first.premise.name}): {first.premise.otherwise}"
    return f"{family(first).title}: {row(first)[0]}"


def sentence(claim: Claim) -> str:
    """What the heading does not say: the guarantee, and before it whose it is where claims of several stand there."""
    return ": ".join((*row(claim)[1:], claim.guarantee.sentence))
