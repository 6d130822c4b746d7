"""Combinators for acts, that is for what can happen to one queue."""

import numpy as np

from rebalance_proofs.spark_enum.explorer.model import Act, Rows

__all__ = ["either", "if_it_can", "in_turn"]


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
