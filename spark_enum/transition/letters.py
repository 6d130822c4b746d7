"""Representative cases ("letters") of a queue: one for each different effect of a rebalance.

Combinations of queues are tried with these cases only.
"""

from dataclasses import dataclass

import numpy as np

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.spark_enum.check import Check, Keep, Told
from rebalance_proofs.spark_enum.distinct import distinct
from rebalance_proofs.spark_enum.results import Totals
from rebalance_proofs.spark_enum.transition.columns import FIELDS, possible, shaped, step_kernel
from rebalance_proofs.spark_enum.transition.kinds import LETTERS
from rebalance_proofs.spark_enum.transition.space import NAMES, departures, of_mode

MEMBERSHIP = ("mine", "present", "in_set")
"""Variables whose values always distinguish letters, even if the effects are the same."""

UNCHANGED = -1_000
"""Placeholder for an unchanged offset in memory."""


@dataclass(frozen=True)
class Alphabet:
    """All letters of a client in one mode: codes of cases in ``space.of_mode``.

    Cases with few non-default values come first. Each field distinguishes more cases than the field before it.
    """

    traces: tuple[int, ...]
    """One letter for each different list of effects and exceptions.

    Effects are compared under all exceptions of other queues.
    """
    behaviours: tuple[int, ...]
    """One letter for each different list of effects and different change of the process queue."""
    outcomes: tuple[int, ...]
    """One letter for each different list of effects, change, and final state of the process queue."""

    def at_most(self, count: int, groups: int = 3) -> tuple[int, ...]:
        """Return at most ``count`` letters, first ``traces``, then ``behaviours`` and ``outcomes``.

        If not all of a field fit, they are evenly spaced. ``groups``: how many of the three fields are used.
        """
        found: list[int] = []
        for more in (self.traces, self.behaviours, self.outcomes)[:groups]:
            rest = [letter for letter in more if letter not in set(found)]
            taken = min(count - len(found), len(rest))
            found += [rest[place * len(rest) // taken] for place in range(taken)]
        return tuple(found)


def alphabet(client: Client, mode: Mode) -> Alphabet:
    """Compute the letters of a mode with the compiled formulas for every case.

    The module ``singles`` compares these formulas with the client code.
    """
    layout, kernel = step_kernel(client)
    space = of_mode(client, mode)
    parts = [columns for _, columns in space.parts(0, space.size)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in NAMES}
    order = np.lexsort((np.arange(space.size), departures(columns)))
    columns = {name: column[order] for name, column in columns.items()}
    before = [columns.get(name, np.zeros(1, dtype=np.int64)) for name in FIELDS]
    effects, entries, changes = [columns[name] for name in MEMBERSHIP], [], []
    for thrown in possible(client.encoding, mode.own_store):
        rows = shaped(kernel(*(columns[name] for name in NAMES), *thrown), space.size)
        memory, fresh, *rest = rows[layout.rest :]
        effects += [*rows[: layout.after], rows[layout.after], rows[layout.former], fresh, *rest]
        for start, new in ((layout.after, fresh), (layout.former, 0)):
            for now, was in zip(rows[start + 1 : start + 1 + len(FIELDS)], before, strict=True):
                # a separate value for "unchanged": all others are at least 0
                changes.append(np.where((rows[start] == 1) & (new == 0) & (now == was), -1, now))
                entries.append(now)
        changes.append(np.where(memory == columns["memory"], UNCHANGED, memory))
        entries.append(memory)
    traces, trace = distinct(effects)
    behaviours, behaviour = distinct([trace, *changes])
    outcomes, _ = distinct([behaviour, *entries])
    return Alphabet(*(tuple(order[np.sort(first)].tolist()) for first in (traces, behaviours, outcomes)))


def letters(client: Client, mode: Mode) -> Check:
    """Return the check that computes and counts the letters of a client in one mode."""
    return Check(
        kind=LETTERS,
        name=f"letters of {client.name} {mode.name}",
        pieces=1,
        expected=of_mode(client, mode).size,
        do=lambda piece, keep: _letters(client, mode, keep),
        subject=client.name,
        setting=mode.name,
        record=_counts,
    )


def _letters(client: Client, mode: Mode, keep: Keep | None) -> Totals:
    space, found = of_mode(client, mode), alphabet(client, mode)
    if keep:
        digits = [[numbers[name] for name in NAMES] for numbers in space.cases(found.outcomes)]
        keep(queues=[1] * len(digits), digits=digits, numbers={"letter": found.outcomes})
    return Totals(counted=space.size, kept=vars(found))


def _counts(totals: Totals) -> Told:
    """Return the number of letters in each field of the alphabet; it also serves as digest."""
    numbers = {group: len(found) for group, found in totals.kept.items()}
    return {"numbers": numbers, "digest": "{traces} {behaviours} {outcomes}".format(**numbers)}
