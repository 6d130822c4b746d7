"""Each state and action: what the client's code does, and what the compiled terms say."""

from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from rebalance_proofs.model.ordered.clients import CLIENTS, OrderedClient
from rebalance_proofs.model.ordered.state import Consumer
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.ordered.compiled import compiled
from rebalance_proofs.proofs.ordered.examples import TICKS
from rebalance_proofs.proofs.ordered.observed import act
from rebalance_proofs.proofs.ordered.variables import FLAGS, ME, NAMES, SAID
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS
from rebalance_proofs.spark_enum.ordered.space import MOVES, SIZE, states
from rebalance_proofs.spark_enum.results import Wrong
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals
from rebalance_proofs.spark_enum.transition.distinct import added, digest_of, digests_of

__all__ = ["Actions"]

OWN = [field.name for field in fields(Consumer) if field.name != "client_id"]
AFTER = [*OWN, "holder", "updated"]
IMPOSSIBLE = None

After = tuple[int, ...] | None
"""The values of ``AFTER``; None where the action is not possible."""


@dataclass(frozen=True)
class Actions:
    """Those of one client; a piece is an action with a choice."""

    client: str
    """Its name: clients themselves are not sent to the executors."""

    def check(self) -> Check:
        """So many states, and so many things that can happen."""
        return Check(ACTIONS, f"{self.client} actions", len(MOVES), len(MOVES) * SIZE, self, self.client)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        client = next(one for one in CLIENTS if one.name == self.client)
        name, said = MOVES[piece]
        told = dict.fromkeys(SAID, False) | dict(said)
        columns = states()
        wanted = _said(client, name, told)
        codes = np.arange(SIZE) + piece * SIZE
        found: list[After] = []
        totals = Totals(counted=SIZE)
        differs: dict[int, str] = {}
        rows = {column: values.tolist() for column, values in columns.items()}
        for place in range(SIZE):
            done = _done(client, name, {column: values[place] for column, values in rows.items()}, told)
            found.append(done)
            if done != wanted[place]:
                state = {column: values[place] for column, values in rows.items() if values[place]}
                words = f"{name} {dict(said)} in {state}: code: {_named(done)}. Terms: {_named(wanted[place])}"
                differs[place] = words
                totals.differs(Wrong((int(codes[place]),), (), words))
        outcomes = {after: digest_of(after) for after in set(found)}
        digests = digests_of(codes, np.array([outcomes[after] for after in found], dtype=np.uint64))
        totals.adds(added(digests))
        if keep:
            digits = np.stack(list(columns.values()), axis=1)
            keep(
                digits=digits,
                found=[str(_named(after)) for after in found],
                digest=digests,
                differs=[differs.get(place) for place in range(SIZE)],
            )
        return totals


@cache
def _kernel(client: OrderedClient, name: str) -> Kernel:
    return compiled(getattr(client.encoding, name), OWN)


def _said(client: OrderedClient, name: str, said: dict[str, bool]) -> list[After]:
    given = {**states(), **vars(TICKS), **{one: int(value) for one, value in said.items()}}
    can, *after = _kernel(client, name)(*(given[one] for one in NAMES))
    columns = [np.broadcast_to(column, SIZE).astype(np.int64).tolist() for column in after]
    rows = zip(*columns, strict=True)
    return [row if possible else IMPOSSIBLE for possible, row in zip(np.broadcast_to(can, SIZE), rows, strict=True)]


def _done(client: OrderedClient, name: str, row: dict[str, int], said: dict[str, bool]) -> After:
    me: dict[str, int | bool] = {one: bool(row[one]) if one in FLAGS else row[one] for one in OWN}
    done = act(client, name, row["now"], me | {"client_id": ME}, (row["holder"], row["updated"]), said, TICKS)
    if done is None:
        return IMPOSSIBLE
    after, lock = done
    return (*(int(after[one]) for one in OWN), *lock)


def _named(after: After) -> dict[str, int] | str:
    if after is None:
        return "nothing"
    return {name: value for name, value in zip(AFTER, after, strict=True) if value}
