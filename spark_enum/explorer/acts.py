"""Acts, that is what can happen to one queue: actions of the terms, and combinators."""

from collections.abc import Sequence

import numpy as np

from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.spark_enum.explorer.model import Act, Rows

__all__ = ["action", "anew", "either", "if_it_can", "in_turn"]


def action(together: Together, who: int, name: str, **said: bool) -> Act:
    """A consumer's action by the terms. Columns behind those of the terms stay as they are."""
    happens, width = Happens(who, name, tuple(said.items())), len(together.columns)

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        changed, places = together.after(rows[:, :width], happens)
        can, after = np.zeros(len(rows), dtype=bool), rows.copy()
        can[places] = True
        after[places, :width] = changed
        return can, after

    return does


def anew(together: Together, who: int, work: Sequence[str]) -> Act:
    """Begin of another process with the same client id, possible when all that the last one had under way has ended:
    the fields ``work`` say what."""
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
    """The act where it is possible; elsewhere nothing happens, and that is possible."""

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        can, after = act(rows)
        return np.ones(len(rows), dtype=bool), np.where(can[:, None], after, rows)

    return does


def in_turn(first: Act, *others: Act) -> Act:
    """The first act, followed by each of the others where it is possible then."""

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        can, after = first(rows)
        after = np.where(can[:, None], after, rows)
        for act in others:
            after = if_it_can(act)(after)[1]
        return can, after

    return does


def either(*acts: Act) -> Act:
    """The first of the acts that is possible."""

    def does(rows: Rows) -> tuple[np.ndarray, Rows]:
        done, after = np.zeros(len(rows), dtype=bool), rows
        for act in acts:
            can, then = act(rows)
            after = np.where((can & ~done)[:, None], then, after)
            done = done | can
        return done, after

    return does
