"""The command group. Errors end with one sentence on stderr and exit status 2."""

import logging
import sys
import traceback

import click

from rebalance_proofs.cli.audit import audit_
from rebalance_proofs.cli.check import check
from rebalance_proofs.cli.conform import conform
from rebalance_proofs.cli.ending import ENDING
from rebalance_proofs.cli.enumerate_ import enumerate_
from rebalance_proofs.cli.explore import explore_
from rebalance_proofs.cli.list_ import list_
from rebalance_proofs.cli.moves import moves_
from rebalance_proofs.cli.options import STATUS
from rebalance_proofs.cli.prove import prove
from rebalance_proofs.cli.record import record
from rebalance_proofs.cli.replay import replay
from rebalance_proofs.cli.safe import safe
from rebalance_proofs.cli.settle import settle
from rebalance_proofs.cli.show import show
from rebalance_proofs.cli.streams import guarded
from rebalance_proofs.cli.verify import verify
from rebalance_proofs.cli.why import why
from rebalance_proofs.model.own.errors import StrategyError
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded import VectorsError
from rebalance_proofs.recorded.text import printable
from rebalance_proofs.report.errors import OutputError

WRONG_CALL = 2
"""Exit status if the call or its input was wrong, or the run was incomplete."""


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}, epilog=STATUS)
@click.option("--debug", is_flag=True, help="Show the stack trace of an error.")
@click.version_option(package_name="rebalance-proofs", prog_name="rebalance")
def cli(debug: bool) -> None:
    """Proofs and exhaustive checks of how RocketMQ consumer groups divide queues among consumers.

    \b
    Example:
      rebalance verify --quick
    """


for command in (
    list_,
    show,
    replay,
    prove,
    enumerate_,
    verify,
    conform,
    safe,
    settle,
    moves_,
    why,
    audit_,
    check,
    explore_,
    record,
):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command, and end the process with its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if "--debug" not in arguments:
        logging.getLogger().addHandler(logging.NullHandler())  # libraries log what this program says in one sentence
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
        if "--debug" in arguments:
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
        case UsageError() | OutputError() | VectorsError() | StrategyError():
            said = str(error)
        case _:
            said = f"unexpected {type(error).__name__}: {error} (--debug shows where)"
    _say(said)
    return WRONG_CALL


def _say(said: str) -> None:
    print(f"rebalance: {printable(' '.join(said.split()))}", file=sys.stderr)
