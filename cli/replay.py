"""``rebalance replay``: replay a counterexample or a trace step by step."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import click

from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.player import play, playable
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.claims.played import trace_of
from rebalance_proofs.report.claims.steps import Played
from rebalance_proofs.report.kinds import shown, smallest
from rebalance_proofs.report.replay.file import Held, NotATrace, checked, document, held
from rebalance_proofs.report.replay.steps import Line, heading, lines, screen, steps
from rebalance_proofs.report.replay.way import Way, gone, group_heading, group_steps, way


@click.command(
    epilog=statuses("the client code repeats the trace", "the client code differs from the trace"),
)
@click.argument("what", metavar="CLAIM|FILE")
@click.option("--plain", is_flag=True, help="Print all steps as text, as without a terminal.")
def replay(what: str, plain: bool) -> int:
    """Step through a counterexample or a trace file.

    CLAIM is the id of a refuted claim. FILE is a trace that a run wrote to counterexamples/*.itf.json, or that
    `rebalance explore --itf DIR` wrote. The command runs the modelled client code again, compares every state with
    the trace, and shows each step. In a terminal, move between the steps with the arrow keys, and press q to quit.

    \b
    Examples:
      rebalance replay allocation.avg.covers.without-same-cid-all
      rebalance replay runs/verify/counterexamples/offsets.java_v5.once.itf.json
    """
    if not _is_file(what):
        return _of_claim(what, plain)
    try:
        found = document(Path(what))
        of_group = way(found)
        if of_group:
            return _go(of_group, plain)
        trace = checked(found)
        return _run(trace.claim, held(trace), plain)
    except NotATrace as error:
        raise UsageError(f"cannot replay {what!r}: {error}") from None


def _is_file(what: str) -> bool:
    """Return True if the argument names a file, not a claim.

    No claim id ends in ``.json`` or contains a path separator.
    """
    return what.endswith(".json") or os.sep in what or Path(what).exists()


def _of_claim(what: str, plain: bool) -> int:
    """Replay the counterexample of a claim, by the same trace that a run writes to a file."""
    claim, *others = select([what])
    if others:
        raise UsageError(f"{what!r} selects {len(others) + 1} claims; name one: `rebalance list '{what}'` lists them")
    if claim.holds:
        raise UsageError(f"{claim.id} has no counterexample, because it holds; `rebalance show {claim.id}` explains it")
    try:
        example = smallest(claim)
    except LookupError as error:
        raise UsageError(str(error)) from None
    if shown(claim).again is None:
        return _run(claim, Held(example, 0), plain)
    return _run(claim, held(checked(json.loads(json.dumps(trace_of(claim, example))))), plain)


def _run(claim: Claim, found: Held, plain: bool) -> int:
    if found.wrong:
        return _wrong(f"{claim.id}: {found.wrong}")
    run = steps(claim, found.example)
    return _tell(list(heading(claim, run, found.states)), run, plain)


def _go(found: Way, plain: bool) -> int:
    been = gone(found)
    if been.wrong:
        return _wrong(f"{found.subject.name}: {been.wrong}")
    return _tell(list(group_heading(found, been)), group_steps(found, been), plain)


def _wrong(sentence: str) -> int:
    with Reporter() as reporter:
        reporter.line(sentence)
    return 1


def _tell(head: Sequence[str], run: Played, plain: bool) -> int:
    if playable() and not plain:

        def drawn(at: int, width: int) -> Sequence[Line]:
            return screen(head, run, at, width)

        play(drawn, len(run.steps))
        return 0
    with Reporter() as reporter:
        for line in (*head, *lines(run)):
            reporter.line(line)
    return 0
