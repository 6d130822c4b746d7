"""``rebalance help``: the list of commands, or the help of one command."""

from contextlib import nullcontext

import click

from rebalance_proofs.cli.commands import unknown
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.translated import Translated, in_language
from rebalance_proofs.proofs.errors import UsageError


@click.command("help", epilog=ANSWERED)
@click.argument("command", required=False)
@click.pass_context
def help_(ctx: click.Context, command: str | None) -> None:
    """Show the help of a command.

    The help is the same as with --help. Without COMMAND, the answer lists all commands.

    \b
    Examples:
      rebalance help why
      rebalance help
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
    # A command without --lang among the arguments: the locale decides.
    speaking = in_language([]) if isinstance(found, Translated) else nullcontext()
    with speaking, found.context_class(found, whole, command) as of:
        print(found.get_help(of))
