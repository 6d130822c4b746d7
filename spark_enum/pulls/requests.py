"""Each state and action: what the client's code does, and what the compiled terms say."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rebalance_proofs.model.pulls.clients import CLIENTS, PullsClient
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.pulls.compiled import compiled
from rebalance_proofs.proofs.pulls.observed import act
from rebalance_proofs.proofs.pulls.variables import FLAGS, NAMES, OWN, SAID
from rebalance_proofs.spark_enum.actions import After, Compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.pulls.kinds import REQUESTS
from rebalance_proofs.spark_enum.pulls.space import LIMIT, MOVES, SIZE, states
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["Requests"]

SPAN = 5
"""ms, where time passes."""


@dataclass(frozen=True)
class Requests:
    """Those of one client; a piece is an action with a choice."""

    client: str
    """Its name: clients themselves are not sent to the executors."""

    def check(self) -> Check:
        """So many states, and so many things that can happen."""
        return Check(REQUESTS, f"{self.client} pulls", len(MOVES), len(MOVES) * SIZE, self, self.client)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        client = next(one for one in CLIENTS if one.name == self.client)
        name, chosen = MOVES[piece]
        said: dict[str, int | bool] = dict.fromkeys(SAID, False) | dict(chosen) | {"span": SPAN}
        given: dict[str, np.ndarray | int] = {
            **states(),
            **{one: int(value) for one, value in said.items()},
            "limit": LIMIT,
        }
        wanted = said_by_terms(_kernel(client, name), NAMES, given, SIZE)

        def does(row: dict[str, int]) -> After:
            me = {one: bool(row[one]) if one in FLAGS else row[one] for one in OWN}
            done = act(client, name, me, said, LIMIT)
            return None if done is None else tuple(int(done[one]) for one in OWN)

        title = f"{name} {dict(chosen)}" if chosen else name
        return Compared(title, states(), OWN).totals(piece, wanted, does, keep)


@cache
def _kernel(client: PullsClient, name: str) -> Kernel:
    return compiled(getattr(client.encoding, name))
