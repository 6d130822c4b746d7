"""The option that keeps the solvers' answers from one run to the next, and how a run says that it used some."""

from collections.abc import Iterator

import click

from rebalance_proofs.cli.params import Folder
from rebalance_proofs.proofs.solvers.kept import Kept
from rebalance_proofs.report.english import count

answers_option = click.option(
    "--answers",
    type=Folder("name one that is new or empty"),
    metavar="DIR",
    help="Keep the solvers' answers in DIR, and do not ask again for those that are there; every report says so. "
    "Without --seed, the seed is that of the first run that used DIR.",
)


def lines(kept: Kept | None) -> Iterator[str]:
    """What a user is told of it where no report speaks of it: that all are new, and that some could not be kept."""
    if kept and not kept.given:
        yield _used(kept)
    if kept and kept.trouble:
        yield f"answers of this run could not be kept in {str(kept.folder)!r}: {kept.trouble}"


def left_out(kept: Kept | None) -> tuple[str, ...]:
    """What every report says of a run that did not ask for all answers."""
    return (f"{_used(kept)}: no solver was asked for these in this run",) if kept and kept.given else ()


def _used(kept: Kept) -> str:
    return f"{kept.given:,} of {count(kept.asked, 'answer')} were kept in {str(kept.folder)!r}"
