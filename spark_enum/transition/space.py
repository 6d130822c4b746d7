"""The cases of one queue in a rebalance, numbered: states, settings and answers of the broker.

A case assigns a value to every variable. Its number is called code.
"""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import prod
from typing import Any, ClassVar

import numpy as np

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import told_apart
from rebalance_proofs.model.transition.variables import CONSUMER, ENTRY, MODE, QUEUE, ROUND, Variable
from rebalance_proofs.spark_enum.check import Check, Keep
from rebalance_proofs.spark_enum.results import Totals

# Numbered cases of one client in one mode, for tables with a given number of queues.


class Cases(ABC):
    """Cases in which two sides are compared; a piece of work is a range of consecutive numbers."""

    kind: ClassVar[str]
    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """Codes (in ``space.of_mode``) of the cases tried for each queue; empty if queues differ."""
    queues: int

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of cases, by a closed form."""

    @property
    def codes(self) -> int:
        """Number of codes, which are divided into pieces; by default the number of cases."""
        return self.size

    @property
    @abstractmethod
    def step(self) -> int:
        """Number of codes in one piece of work."""

    @abstractmethod
    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Compare the cases ``begin`` .. ``end`` - 1, and return the totals."""

    def check(self) -> Check:
        """Return the check for all cases, named like ``java_v4_9 push orderly, 3 queues, calls``."""
        queues = "1 queue" if self.queues == 1 else f"{self.queues} queues"
        return Check(
            kind=self.kind,
            name=f"{' '.join(filter(None, (self.client.name, self.mode.name)))}, {queues}, {self.kind}",
            pieces=-(-self.codes // self.step),
            expected=self.size,
            do=self._piece,
            subject=self.client.name,
            setting=self.mode.name,
            bounds={"queues": self.queues, "letters": len(self.letters)},
        )

    def _piece(self, piece: int, keep: Keep | None = None) -> Totals:
        begin = piece * self.step
        return self.compare(begin, min(begin + self.step, self.codes), keep)

    def add(self, keep: Keep, differs: Mapping[int, str], **columns: Any) -> None:
        """Add a Parquet row for each case; ``differs``: index of a case -> its difference in words."""
        length = len(columns["digest"])
        said = [differs.get(place) for place in range(length)]
        keep(queues=[self.queues] * length, differs=said, **columns)


# Names of the comparisons and counters for transitions, as in the JSON output.

SINGLES, CALLS, TABLES, MODELS = "singles", "calls", "tables", "models"
"""Kinds of comparisons.

In order: client code for one queue with compiled formulas; client code for several queues with that for each queue
alone; compiled formulas for several queues with client code for each queue alone; solver models with client code for
one queue.
"""

LETTERS, PROMISES = "letters", "promises"
"""Further kinds of comparisons.

In order: the number of different effects of a client on a queue; the claims about client code, in cases with few
non-default values.
"""

ADMITTED, GONE, FARTHER = "admitted", "gone through", "farther"
"""Counters of cases.

In order: cases to which a claim applies; all tried cases, by mode; tried cases with more non-default values, by mode.
The last ones are needed because no case with few of them breaks the claim.
"""


VARIABLES: tuple[Variable, ...] = (*MODE, *CONSUMER, *QUEUE, *ROUND)
"""All variables that can influence the effect of a rebalance on a queue."""

NAMES = tuple(variable.name for variable in VARIABLES)

FIXED = tuple(variable.name for variable in (*MODE, *CONSUMER))
"""Names of variables that have the same value for all queues of a client."""
LETTER = tuple(variable.name for variable in (*QUEUE, *ROUND))
"""Names of variables that each queue has separately."""

Columns = dict[str, np.ndarray]
"""Cases as arrays: name of a variable -> its value in each case."""

Values = dict[str, tuple[int, ...]]
"""Name of a variable -> the values to combine."""


@dataclass(frozen=True)
class Block:
    """All combinations of some values of every variable, in the order of ``VARIABLES``.

    The value of the first variable changes slowest.
    """

    values: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """Number of cases."""
        return prod(len(values) for values in self.values)

    def decode(self, codes: np.ndarray) -> Columns:
        """Return the cases with these numbers, which are 0 .. ``size`` - 1."""
        columns = {}
        rest = codes
        for name, values in zip(reversed(NAMES), reversed(self.values), strict=True):
            rest, digits = np.divmod(rest, len(values))
            columns[name] = np.array(values, dtype=np.int64)[digits]
        return columns


@dataclass(frozen=True)
class Space:
    """Several blocks of cases without common cases, numbered one block after the other."""

    blocks: tuple[Block, ...]

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return tuple(accumulate(block.size for block in self.blocks))

    @property
    def size(self) -> int:
        """Number of cases: the sum of the blocks' sizes."""
        return self._ends[-1]

    def parts(self, begin: int, end: int) -> Iterator[tuple[np.ndarray, Columns]]:
        """Yield the cases ``begin`` .. ``end`` - 1, block by block: their codes, and their values."""
        while begin < end:
            number = bisect_right(self._ends, begin)
            stop, before = min(end, self._ends[number]), self._ends[number] - self.blocks[number].size
            codes = np.arange(begin, stop)
            yield codes, self.blocks[number].decode(codes - before)
            begin = stop

    def cases(self, codes: Sequence[int]) -> list[dict[str, int]]:
        """Return the cases with these codes: name of a variable -> value."""
        found = [next(self.parts(code, code + 1))[1] for code in codes]
        return [{name: int(columns[name][0]) for name in NAMES} for columns in found]


PLAIN: Values = {"where": (0,), "retry": (0,)}
"""Values for a normal topic (no retry topic) that is consumed from the last offset on."""


def of_mode(client: Client, mode: Mode) -> Space:
    """Return all cases of one mode for a normal topic: states of the queue, memberships, answers."""
    used = _used(mode)
    return Space(
        (
            _block(client, mode.own_store, used, PLAIN, _absent()),
            _block(client, mode.own_store, used, PLAIN, {"present": (1,)}),
        )
    )


def every_case(client: Client) -> Space:
    """Return the cases of a client in all modes that are possible with a user-defined store.

    With the default store, only the client's modes are included. A client with only one kind of offset store is tried
    in all modes. The source of the first offset, and whether the topic is a retry topic, matter only for an added
    queue. Such a queue has no process queue, or its overdue process queue is removed in the same rebalance.
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
    """Return the cases of a client in its own modes, without dropped or unlocked process queues.

    For an older version, only the modes are included in which its code differs from the adjacent version.
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
    """Return cases with an age exactly at its limit, if the client checks that age.

    The client checks the pull's age if the queue stays, and the lock's age if the process queue is to be removed. Later
    steps for a new process queue are not varied, because ages do not influence them.
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
"""The variables with a limit: the ages of the last pull and of the lock."""

_DECIDE = ("consume_lock", "lock_age")
"""Names of variables that decide whether a process queue outside mqSet is really removed."""


def departures(columns: Columns) -> np.ndarray:
    """Return the number of non-default values in each case; the mode does not count."""
    counted = (*CONSUMER, *QUEUE, *ROUND)
    many: np.ndarray = sum((columns[variable.name] != variable.benign).astype(np.int64) for variable in counted)
    return many


def _block(client: Client, own_store: int, *given: Values) -> Block:
    """Return all combinations of the given values, with all values of the other variables.

    For these, values are tried that the client distinguishes.
    """
    values = {variable.name: client.values(variable, own_store) for variable in VARIABLES}
    for more in given:
        values |= {name: found for name, found in more.items() if name not in client.ignores}
    return Block(tuple(values.values()))


def _used(mode: Mode) -> Values:
    """Return the values of the variables that describe the mode."""
    return {variable.name: (getattr(mode, variable.name),) for variable in MODE}


def _absent() -> Values:
    """Return the values of a queue without a process queue.

    The variables of the process queue have their defaults.
    """
    benign: Values = {variable.name: (variable.benign,) for variable in ENTRY}
    return benign | {"present": (0,)}
