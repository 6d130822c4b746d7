"""Acts: possible changes of one queue, compiled from the proofs' formulas for actions."""

from collections.abc import Sequence

import numpy as np

from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.spark_enum.explorer.model import Act, Rows


def action(together: Together, who: int, name: str, **said: bool) -> Act:
    """Return a consumer's action, compiled from formulas; ``said`` fixes choices of the action.

    Columns after those of the formulas stay unchanged.
    """
    happens, width = Happens(who, name, tuple(said.items())), len(together.columns)

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        changed, places = together.after(rows[:, :width], happens)
        can, after = np.zeros(len(rows), dtype=bool), rows.copy()
        can[places] = True
        after[places, :width] = changed
        return can, after

    return does


def anew(together: Together, who: int, work: Sequence[str]) -> Act:
    """Return the act that a consumer's process starts again with the same client id.

    It is possible when the last process has no remaining activity. The fields ``work`` describe these activities.
    """
    first, own = together.start()[0], [together.place(who, name) for name in together.own]
    places = [together.place(who, name) for name in work]

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        can: np.ndarray = np.logical_and.reduce(rows[:, places] == 0, axis=1)
        after = rows.copy()
        for place in own:
            after[can, place] = first[place]
        return can, after

    return does


def if_it_can(act: Act) -> Act:
    """Return an act that is always possible. Where ``act`` is impossible, it changes nothing."""

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        can, after = act(rows)
        return np.ones(len(rows), dtype=bool), np.where(can[:, None], after, rows)

    return does


def in_turn(first: Act, *others: Act) -> Act:
    """Return an act that performs the first act, and then the others where possible."""

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        can, after = first(rows)
        after = np.where(can[:, None], after, rows)
        for act in others:
            after = if_it_can(act)(after)[1]
        return can, after

    return does


def either(*acts: Act) -> Act:
    """Return an act that performs the first possible one of the acts."""

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        done, after = np.zeros(len(rows), dtype=bool), rows
        for act in acts:
            can, then = act(rows)
            after = np.where((can & ~done)[:, None], then, after)
            done = done | can
        return done, after

    return does
