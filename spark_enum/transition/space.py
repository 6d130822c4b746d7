"""Cases of one queue: their number, and the case of a code."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod

import numpy as np

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import told_apart
from rebalance_proofs.model.transition.variables import CONSUMER, ENTRY, MODE, QUEUE, ROUND, Variable

VARIABLES: tuple[Variable, ...] = (*MODE, *CONSUMER, *QUEUE, *ROUND)
"""All variables that can influence one queue's round."""

NAMES = tuple(variable.name for variable in VARIABLES)

FIXED = tuple(variable.name for variable in (*MODE, *CONSUMER))
"""Variables with the same value for all queues of a table."""
LETTER = tuple(variable.name for variable in (*QUEUE, *ROUND))
"""Variables of each single queue."""

Columns = dict[str, np.ndarray]
"""Variable -> its value in each of many cases."""

Values = dict[str, tuple[int, ...]]
"""Variable -> its values."""


@dataclass(frozen=True)
class Block:
    """The product of some values of every variable, in the order of ``VARIABLES``.

    The first variable changes slowest.
    """

    values: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Number of cases."""
        return prod(len(values) for values in self.values)

    def decode(self, codes: np.ndarray) -> Columns:
        """Return the cases with the codes 0 .. ``size`` - 1."""
        columns = {}
        rest = codes
        for name, values in zip(reversed(NAMES), reversed(self.values), strict=True):
            rest, digits = np.divmod(rest, len(values))
            columns[name] = np.array(values, dtype=np.int64)[digits]
        return columns


@dataclass(frozen=True)
class Space:
    """Disjoint blocks of cases, numbered one block after the other."""

    blocks: tuple[Block, ...]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(block.size for block in self.blocks))

    @property
    def size(self) -> int:
        """Number of cases: the sum of the blocks' closed forms."""
        return self._ends[-1]

    def parts(self, begin: int, end: int) -> Iterator[tuple[np.ndarray, Columns]]:
        """Yield the cases ``begin`` .. ``end`` - 1, block by block: their codes, and their columns."""
        while begin < end:
            number = bisect_right(self._ends, begin)
            stop, before = min(end, self._ends[number]), self._ends[number] - self.blocks[number].size
            codes = np.arange(begin, stop)
            yield codes, self.blocks[number].decode(codes - before)
            begin = stop

    def cases(self, codes: Sequence[int]) -> list[dict[str, int]]:
        """Return the cases with these codes."""
        found = [next(self.parts(code, code + 1))[1] for code in codes]
        return [{name: int(columns[name][0]) for name in NAMES} for columns in found]


PLAIN: Values = {"where": (0,), "retry": (0,)}
"""An ordinary topic that is consumed from the last offset on."""


def of_mode(client: Client, mode: Mode) -> Space:
    """Return the space of one mode on an ordinary topic: every state, membership and answer of one queue."""
    used = _used(mode)
    return Space(
        (
            _block(client, mode.own_store, used, PLAIN, _absent()),
            _block(client, mode.own_store, used, PLAIN, {"present": (1,)}),
        )
    )


def every_case(client: Client) -> Space:
    """Return all modes that a client could have with a user-defined store, and its actual modes by default.

    A client with only one way to store offsets is tried in all modes. The source of the first offset, and whether the
    topic is a retry topic, matter only for an added queue: one without a process queue, or one whose overdue process
    queue is removed in the same round.
    """
    (ages,) = (variable.values for variable in ENTRY if variable.name == "pull_age")
    overdue = {variable.name: variable.values[:1] for variable in ENTRY if variable.name not in _DECIDE}
    overdue |= {"pull_age": (max(ages),), "present": (1,), "mine": (1,), "in_set": (1,), "kind": (0,)}
    begins: tuple[Values, ...] = ({"where": (1, 2, 3)}, {"where": (0,), "retry": (1,)})
    ways: list[tuple[int, Values]] = []
    if any(mode.own_store for mode in client.modes):
        ways += [(0, _used(mode)) for mode in client.modes if not mode.own_store] + [(1, {"own_store": (1,)})]
    else:
        ways.append((0, {"own_store": (0,)}))
    blocks = []
    for own_store, used in ways:
        blocks.append(_block(client, own_store, PLAIN, {"present": (1,)}, used))
        blocks.append(_block(client, own_store, _absent(), used))
        if set(used.get("kind", (0,))) == {0}:
            blocks += [_block(client, own_store, overdue, begin, used) for begin in begins]
        blocks += _at_limits(client, own_store, used)
    return Space(tuple(blocks))


def real_cases(client: Client) -> Space:
    """Return the actual modes, with process queues that are locked and not dropped yet.

    For an older version, only the modes where its code differs from its neighbour's.
    """
    blocks = []
    for mode in told_apart(client):
        used = _used(mode)
        blocks.append(_block(client, mode.own_store, used, _absent()))
        plain: Values = {"present": (1,), "dropped": (0,), "locked": (1,)}
        blocks.append(_block(client, mode.own_store, used, PLAIN, plain))
        blocks += _at_limits(client, mode.own_store, used)
    return Space(tuple(blocks))


def _at_limits(client: Client, own_store: int, used: Values) -> list[Block]:
    """Return process queues whose age is exactly at its limit, where the client checks that age.

    The client checks the pull's age if the queue stays, and the lock's age if the process queue is to be removed. The
    later steps for a new process queue are not varied, because ages do not influence them.
    """
    held: Values = PLAIN | {"present": (1,), "mine": (1,), "locked": (1,)}
    answered: Values = {known.name: (known.benign,) for known in ROUND if known.name in ("stored", "queried")}
    stays: Values = {"dropped": (0,), "in_set": (1,), "lock": (0,)}
    found = []
    for known, more in zip(LIMITED, (stays, {}), strict=True):
        if known.name not in client.ignores and known.limit is not None:
            found.append(_block(client, own_store, held, answered, more, {known.name: (known.limit,)}, used))
    return found


LIMITED = tuple(variable for variable in ENTRY if variable.limit is not None)
"""The ages of the pull and of the lock."""

_DECIDE = ("consume_lock", "lock_age")
"""Variables that decide whether a process queue to be removed is removed."""


def departures(columns: Columns) -> np.ndarray:
    """Return the number of deviations from the defaults in each case, without the mode."""
    counted = (*CONSUMER, *QUEUE, *ROUND)
    many: np.ndarray = sum((columns[variable.name] != variable.benign).astype(np.int64) for variable in counted)
    return many


def _block(client: Client, own_store: int, *given: Values) -> Block:
    """Return the product of the given values and all other values that the client distinguishes."""
    values = {variable.name: client.values(variable, own_store) for variable in VARIABLES}
    for more in given:
        values |= {name: found for name, found in more.items() if name not in client.ignores}
    return Block(tuple(values.values()))


def _used(mode: Mode) -> Values:
    """Return the values of the mode's variables."""
    return {variable.name: (getattr(mode, variable.name),) for variable in MODE}


def _absent() -> Values:
    """Return a queue without a process queue: the process queue's variables have their defaults."""
    benign: Values = {variable.name: (variable.benign,) for variable in ENTRY}
    return benign | {"present": (0,)}
