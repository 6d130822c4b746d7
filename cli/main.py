"""The command group ``rebalance``. Errors print one sentence on stderr, with exit status 2."""

import logging
import os
import sys
import traceback

import click

from rebalance_proofs.cli.commands import Commands, debug_option
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.epilogs import EVERY
from rebalance_proofs.cli.streams import guarded
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.version import version

WRONG_CALL = 2
"""Exit status if the call or its input is wrong, or if the run is incomplete."""


def _show_version(ctx: click.Context, param: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(f"rebalance, version {version()}")
        ctx.exit()


@click.group(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, epilog=EVERY
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Explain, check and prove how RocketMQ consumer groups divide queues among consumers.

    Run `rebalance COMMAND --help` for the options and examples of a command.

    \b
    Examples:
      rebalance why twice
      rebalance audit logs/
      rebalance verify --quick
    """
    try:
        os.getcwd()
    except OSError:
        raise UsageError("the working directory no longer exists; change to another directory") from None


cli.params.insert(0, debug_option)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line, and end the process with the command's exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if "--debug" not in arguments:
        logging.getLogger().addHandler(logging.NullHandler())  # libraries log errors that this program prints itself
    ENDING.reset()
    with guarded():
        try:
            status: str | int | None = _status(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        except SystemExit as ended:
            status = ended.code
        if ENDING.by:
            status = ENDING.by.status
            if ENDING.by.complaint:
                _say(ENDING.by.complaint)
    sys.exit(status)


def _status(arguments: list[str]) -> int:
    try:
        return int(cli.main(arguments, prog_name="rebalance", standalone_mode=False, obj=arguments) or 0)
    except Exception as error:
        if "--debug" in arguments and not isinstance(error, click.exceptions.NoArgsIsHelpError):
            traceback.print_exc()
        return _complain(error)
    except KeyboardInterrupt:
        return _complain(click.Abort())


def _complain(error: Exception) -> int:
    match error:
        case click.exceptions.NoArgsIsHelpError():
            click.echo(error.format_message())
            return WRONG_CALL
        case click.Abort():
            said = ENDING.how
        case click.ClickException():
            said = error.format_message()
        case UsageError():
            said = str(error)
        case _:
            said = f"unexpected {type(error).__name__}: {error} (run again with --debug for the stack trace)"
    _say(said)
    return WRONG_CALL


def _say(said: str) -> None:
    print(f"rebalance: {printable(' '.join(said.split()))}", file=sys.stderr)
