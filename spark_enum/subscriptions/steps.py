"""Each state and action: what the code does, and what the compiled terms say."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from rebalance_proofs.model.subscriptions.clients import CLIENTS, SubscriptionsClient
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.subscriptions.compiled import compiled
from rebalance_proofs.proofs.subscriptions.observed import act
from rebalance_proofs.proofs.subscriptions.schedule import MOVES, told
from rebalance_proofs.proofs.subscriptions.variables import FLAGS, NAMES, OWN
from rebalance_proofs.spark_enum.actions import After, Compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS
from rebalance_proofs.spark_enum.subscriptions.space import LIMITS, NOW, SIZE, states
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["Steps"]


@dataclass(frozen=True)
class Steps:
    """Those of one client; a piece is an action with a choice."""

    client: str
    """Its name: clients themselves are not sent to the executors."""

    def check(self) -> Check:
        """So many states, and so many things that can happen."""
        return Check(HEARTBEATS, f"{self.client} heartbeats", len(MOVES), len(MOVES) * SIZE, self, self.client)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        client = next(one for one in CLIENTS if one.name == self.client)
        move = MOVES[piece]
        said = told(dict(move.said), NOW)
        given: dict[str, np.ndarray | int] = {**states(), **vars(LIMITS)}
        given |= {f"said_{name}": int(value) for name, value in said.items()}
        wanted = said_by_terms(_kernel(client, move.action), NAMES, given, SIZE)

        def does(row: dict[str, int]) -> After:
            me = {one: bool(row[one]) if one in FLAGS else row[one] for one in OWN}
            done = act(client, move.action, row["now"], me, said, LIMITS)
            return None if done is None else tuple(int(done[one]) for one in OWN)

        return Compared(f"{move.action} {dict(move.said)}", states(), OWN).totals(piece, wanted, does, keep)


@cache
def _kernel(client: SubscriptionsClient, name: str) -> Kernel:
    return compiled(getattr(client.encoding, name))
