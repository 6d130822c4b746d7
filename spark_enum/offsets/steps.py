"""Each state and action: what the client's code does, and what the compiled terms say."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rebalance_proofs.model.offsets.clients import CLIENTS, OffsetsClient
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.offsets.compiled import compiled
from rebalance_proofs.proofs.offsets.observed import act
from rebalance_proofs.proofs.offsets.variables import FLAGS, NAMES, OWN, SAID, SHARED
from rebalance_proofs.spark_enum.actions import After, Compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.offsets.kinds import STEPS
from rebalance_proofs.spark_enum.offsets.space import moves, size, states
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["Steps"]

AFTER = (*OWN, *SHARED)


@dataclass(frozen=True)
class Steps:
    """Those of one client; a piece is an action with a choice."""

    client: str
    """Its name: clients themselves are not sent to the executors."""

    def check(self) -> Check:
        """So many states, and so many things that can happen."""
        way = _of(self.client).way
        pieces = len(moves(way))
        return Check(STEPS, f"{self.client} offsets", pieces, pieces * size(way), self, self.client)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        client = _of(self.client)
        among = states(client.way)
        name, chosen, offset = moves(client.way)[piece]
        said: dict[str, int | bool] = dict.fromkeys(SAID, False) | dict(chosen) | {"offset": offset}
        given: dict[str, np.ndarray | int] = {**among, **{one: int(value) for one, value in said.items()}}
        wanted = said_by_terms(_kernel(client, name), NAMES, given, size(client.way))

        def does(row: dict[str, int]) -> After:
            me, shared = ({one: bool(row[one]) if one in FLAGS else row[one] for one in part} for part in (OWN, SHARED))
            done = act(client, name, me, shared, said, row["message"], row["where"])
            return None if done is None else tuple(int(done[0][one] if one in OWN else done[1][one]) for one in AFTER)

        title = f"{name} {dict(chosen)} {offset}" if chosen else f"{name} {offset}"
        return Compared(title, among, AFTER).totals(piece, wanted, does, keep)


def _of(name: str) -> OffsetsClient:
    return next(one for one in CLIENTS if one.name == name)


@cache
def _kernel(client: OffsetsClient, name: str) -> Kernel:
    return compiled(getattr(client.encoding, name))
