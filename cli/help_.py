"""``rebalance help``: the help of the whole, or of one command."""

import click

from rebalance_proofs.cli.commands import unknown
from rebalance_proofs.proofs.errors import UsageError


@click.command("help")
@click.argument("command", required=False)
@click.pass_context
def help_(ctx: click.Context, command: str | None) -> None:
    """Show what a command does and takes, as its --help does; without a COMMAND, which commands there are.

    \b
    Example:
      rebalance help why
    """
    whole = ctx.parent
    assert whole
    assert isinstance(whole.command, click.Group)
    if command is None:
        print(whole.get_help())
        return
    found = whole.command.get_command(whole, command)
    if not found:
        raise UsageError(unknown(command))
    with found.context_class(found, whole, command) as of:
        print(found.get_help(of))
