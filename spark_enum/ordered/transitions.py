"""Each state and action: what the client's code does, and what the compiled terms say."""

from dataclasses import dataclass, fields
from functools import cache

from rebalance_proofs.model.ordered.clients import CLIENTS, OrderedClient
from rebalance_proofs.model.ordered.state import Consumer
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.proofs.ordered.compiled import compiled
from rebalance_proofs.proofs.ordered.observed import act
from rebalance_proofs.proofs.ordered.variables import FLAGS, ME, NAMES, SAID
from rebalance_proofs.spark_enum.actions import After, Compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS
from rebalance_proofs.spark_enum.ordered.space import LIMITS, MOVES, SIZE, states
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["Actions"]

OWN = [field.name for field in fields(Consumer) if field.name != "client_id"]
AFTER = [*OWN, "holder", "updated"]


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
        given = {**states(), **vars(LIMITS), **{one: int(value) for one, value in told.items()}}
        wanted = said_by_terms(_kernel(client, name), NAMES, given, SIZE)

        def does(row: dict[str, int]) -> After:
            me: dict[str, int | bool] = {one: bool(row[one]) if one in FLAGS else row[one] for one in OWN}
            lock = (row["holder"], row["updated"])
            done = act(client, name, row["now"], me | {"client_id": ME}, lock, told, LIMITS)
            return None if done is None else (*(int(done[0][one]) for one in OWN), *done[1])

        return Compared(f"{name} {dict(said)}", states(), AFTER).totals(piece, wanted, does, keep)


@cache
def _kernel(client: OrderedClient, name: str) -> Kernel:
    return compiled(getattr(client.encoding, name), OWN)
