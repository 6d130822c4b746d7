"""``rebalance new-kind``: write the page of a new machine, and register it."""

from pathlib import Path

import click

import rebalance_proofs
from rebalance_proofs.cli.epilogs import STATUS
from rebalance_proofs.report.machine.declared import EXAMPLE, write


@click.command("new-kind", epilog=STATUS)
@click.argument("name")
def new_kind(name: str) -> int:
    """Write the page of a new machine, with an example that proves.

    The command writes model/machines/NAME.py and registers its kind of claims, in a checkout of this project. NAME
    begins the ids of its claims: lowercase letters, digits and _. Replace the example by your machine, from top to
    bottom.

    \b
    Examples:
      rebalance new-kind counting
    """
    root = Path(rebalance_proofs.__file__).parents[1]
    page, *tables = write(root, name)
    click.echo(f"Wrote {page}: an example machine with two claims. Registered it in {', '.join(map(str, tables))}.\n")
    click.echo("Next, edit the page. After each change:")
    click.echo(f"  rebalance prove '{name}.**'")
    click.echo(f"  rebalance replay {name}.{EXAMPLE}")
    click.echo("For `rebalance list` and the other tests, write the index:")
    click.echo("  python -m rebalance_proofs.report.index")
    return 0
