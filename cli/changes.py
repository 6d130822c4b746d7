"""Options of ``rebalance moves`` for a change of several consumers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rebalance_proofs.cli.pictured import print_answer, write_picture
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.queues import utf16_units
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.moves.change import Change, Named, Step
from rebalance_proofs.report.moves.change_document import document
from rebalance_proofs.report.moves.change_told import told
from rebalance_proofs.report.moves.moved import changed
from rebalance_proofs.report.moves.plot import FIRST
from rebalance_proofs.report.shares.described import client_ids, different, split
from rebalance_proofs.report.symptoms.asked import nearest

MOST = 64
"""Largest number of consumers before, after or during a change."""
USUAL = 4
"""Number of consumers if none is given."""


@dataclass(frozen=True)
class Asked:
    """The options as they are typed."""

    to: int | None
    add: str | None
    remove: str | None
    restart: str | None
    consumers: int | None
    ids: str
    queues: int
    grown: int
    brokers: int


def answer(whole: Change, strategies: Sequence[Strategy], output: Path | None, *, plan: bool, as_json: bool) -> None:
    """Print the answer about the change, and write its chart to ``output``."""
    every = [changed(one, whole) for one in strategies]
    if output:
        from rebalance_proofs.report.moves.change_plot import drawn, page  # loads the templates' library

        write_picture(output, FIRST, lambda: drawn(whole, every), lambda: page(whole, every, plan=plan))
    print_answer(told(whole, every, plan=plan), lambda: document(whole, every), output, as_json=as_json)


def change(asked: Asked) -> Change:
    """Return the change. Raises ``UsageError``."""
    if asked.ids:
        return _named(asked)
    before = asked.consumers or USUAL
    join, leave, restart = (
        _number(option, text)
        for option, text in (("add", asked.add), ("remove", asked.remove), ("restart", asked.restart))
    )
    if asked.to is not None:
        if join or leave or restart:
            raise UsageError("--to does not go with --add, --remove or --restart; leave out --to")
        if asked.to == before:
            raise UsageError(f"--to {asked.to} equals the number of consumers; --restart N counts restarts")
        join, leave = max(0, asked.to - before), max(0, before - asked.to)
    _require_sizes(before, join, leave, restart)
    return Change(asked.queues, before, leave, join, restart, asked.grown, asked.brokers)


def _number(option: str, text: str | None) -> int:
    if text is None:
        return 0
    if not re.fullmatch(r"[-+]?\d{1,9}", text.strip(), re.ASCII):
        raise UsageError(
            f"--{option} {text!r} is not a number of consumers; ids need --ids with all ids before the change"
        )
    number = int(text)
    if not 1 <= number <= MOST:
        raise UsageError(f"--{option} {number} is out of range; give a number from 1 to {MOST}")
    return number


def _require_sizes(before: int, join: int, leave: int, restart: int) -> None:
    if restart and (join or leave):
        raise UsageError("--restart does not go with --add or --remove; count the two changes one after the other")
    if restart > before:
        raise UsageError(f"--restart {restart} is more than the {before} consumers before the change")
    if restart and before == 1:
        raise UsageError(
            "--restart needs at least 2 consumers: during the restart of the only one, no consumer has queues"
        )
    if leave >= before:
        raise UsageError(f"removing {leave} of {before} consumers leaves none that stays; --restart replaces consumers")
    if before - leave + join > MOST:
        raise UsageError(f"{before - leave + join} consumers after the change are too many; the most are {MOST}")


def _named(asked: Asked) -> Change:
    if asked.to is not None:
        raise UsageError("--to does not go with --ids; name the ids with --add and --remove")
    before = client_ids(asked.ids, asked.consumers)
    left, new = (_listed(option, text) for option, text in (("--remove", asked.remove), ("--add", asked.add)))
    pairs = [_pair(text, before) for text in _listed("--restart", asked.restart)]
    for option, gone in (("--remove", left), ("--restart", [old for old, _ in pairs])):
        different(option, gone)
        unknown = next((one for one in gone if one not in before), None)
        if unknown is not None:
            raise UsageError(f"{option}: {unknown!r} is not in --ids; {nearest(unknown, before)}name ids of the group")
    known = next((one for one in (*new, *(new for _, new in pairs)) if one in before), None)
    if known is not None:
        raise UsageError(f"{known!r} is in the group already; a consumer that joins needs another id")
    different("--add and --restart", [*new, *(one for _, one in pairs)])
    _require_sizes(len(before), len(new), len(left), len(pairs))
    steps = [Step(leaves=one, joins=other) for one, other in pairs]
    steps += [Step(leaves=one) for one in left] + [Step(joins=one) for one in sorted(new, key=utf16_units)]
    steps += [Step(grows=True)] * bool(asked.grown)
    named = Named(before, tuple(steps))
    return Change(asked.queues, len(before), len(left), len(new), len(pairs), asked.grown, asked.brokers, named)


def _listed(option: str, text: str | None) -> tuple[str, ...]:
    return () if text is None else different(option, split(text))


def _pair(text: str, before: Sequence[str]) -> tuple[str, str]:
    old = max((one for one in before if text.startswith(f"{one}=")), key=len, default=None)
    found, equals, new = (old, "=", text[len(old) + 1 :]) if old is not None else text.partition("=")
    if not equals or not found or not new:
        raise UsageError(f"--restart: {text!r} is not OLD=NEW; with --ids, write the old and the new id")
    return found, new
