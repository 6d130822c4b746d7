"""The option that keeps solver answers across runs, and the lines that report their use."""

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
    """Lines about kept answers that no report contains: that all answers are new, and that some could not be kept."""
    if kept and not kept.given:
        yield _used(kept)
    if kept and kept.trouble:
        yield f"answers of this run could not be kept in {str(kept.folder)!r}: {kept.trouble}"


def left_out(kept: Kept | None) -> tuple[str, ...]:
    """Sentences about kept answers for every report; empty if all answers were asked for in this run."""
    return (f"{_used(kept)}: no solver was asked for these in this run",) if kept and kept.given else ()


def _used(kept: Kept) -> str:
    return f"{kept.given:,} of {count(kept.asked, 'answer')} were kept in {str(kept.folder)!r}"
