"""Each state and action: what the code of member and broker does, and what the compiled terms say."""

from dataclasses import dataclass

import numpy as np

from rebalance_proofs.model.registry.clients import CLIENTS
from rebalance_proofs.proofs.registry.compiled import compiled
from rebalance_proofs.proofs.registry.observed import act
from rebalance_proofs.proofs.registry.schedule import ACTIONS, choices, happens
from rebalance_proofs.proofs.registry.variables import FLAGS, NAMES, OWN, SAID
from rebalance_proofs.spark_enum.actions import After, Compared, said_by_terms
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.registry.kinds import REGISTERS
from rebalance_proofs.spark_enum.registry.space import LIMITS, SIZE, states
from rebalance_proofs.spark_enum.rows import Keep
from rebalance_proofs.spark_enum.totals import Totals

__all__ = ["MOVES", "Steps"]

MOVES = tuple(happens(action, **said) for action in ACTIONS for said in choices(action))
"""All that can happen, with all that it leaves open."""


@dataclass(frozen=True)
class Steps:
    """Those of one client and its broker; a piece is an action with a choice."""

    client: str
    """Its name: clients themselves are not sent to the executors."""

    def check(self) -> Check:
        """So many states, and so many things that can happen."""
        return Check(REGISTERS, f"{self.client} registry", len(MOVES), len(MOVES) * SIZE, self, self.client)

    def __call__(self, piece: int, keep: Keep | None = None) -> Totals:
        client = next(one for one in CLIENTS if one.name == self.client)
        move = MOVES[piece]
        said = dict.fromkeys(SAID, False) | dict(move.said)
        given: dict[str, np.ndarray | int] = {**states(), **vars(LIMITS)}
        given |= {name: int(value) for name, value in said.items()}
        wanted = said_by_terms(compiled(getattr(client.encoding, move.action)), NAMES, given, SIZE)

        def does(row: dict[str, int]) -> After:
            me = {one: bool(row[one]) if one in FLAGS else row[one] for one in OWN}
            done = act(client, move.action, row["now"], me, said, LIMITS)
            return None if done is None else tuple(int(done[one]) for one in OWN)

        return Compared(f"{move.action} {dict(move.said)}", states(), OWN).totals(piece, wanted, does, keep)
