"""``python -m benchmarks.explorer``: print all figures of one run. The machine should be idle."""

from datetime import date
from pathlib import Path

import click

from benchmarks import machine
from benchmarks.explorer import section
from benchmarks.explorer.large import measured
from benchmarks.explorer.sizes import FULL, QUICK
from benchmarks.explorer.targets import heads


@click.command()
@click.option("--quick", is_flag=True, help="Small groups, once each: whether all of it runs.")
@click.option("--only", multiple=True, type=click.Choice(list(section.PARTS)), help="Some parts.")
@click.option(
    "--large", type=click.Path(path_type=Path), metavar="DIR", help="The one on disk alone, in this new folder."
)
@click.option("--queues", default=4, show_default=True, help="Of the one on disk.")
@click.option("--memory", default=2048, show_default=True, help="MB for the one on disk.")
def main(quick: bool, only: tuple[str, ...], large: Path | None, queues: int, memory: int) -> None:
    """What `rebalance explore` costs, beside SPIN."""
    click.echo(f"Measured on {date.today().isoformat()}. Machine: {machine.describe()}.\n")
    if large:
        lines = [*heads("what", "target", "measured"), *measured(large, queues, memory)]
    else:
        lines = section.lines(QUICK if quick else FULL, only or tuple(section.PARTS))
    click.echo("\n".join(lines))


if __name__ == "__main__":
    main()
