"""Shared parts of tests of enumerated transitions: clients and modes, wrong clients, and small alphabets."""

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import cache, partial

import pytest

from rebalance_proofs.model.client.java_v5_2 import JavaV5_2
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.client import ORDERLY, Client, Mode
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V5_2
from rebalance_proofs.model.transition.drivers import JavaDriver
from rebalance_proofs.spark_enum.results import Totals
from rebalance_proofs.spark_enum.transition.columns import Alphabet, alphabet
from tests.each import each

USED = [(client, mode) for client in CLIENTS for mode in client.modes]

each_client = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
OFTEN = (V5_2, NODE)
"""Clients whose modes are enumerated in every run, and on whose mutants comparers are tried.

The others are similar, and slow.
"""
each_use = pytest.mark.parametrize(
    ("client", "mode"),
    [
        pytest.param(client, mode, id=f"{client.name}-{mode.name}", marks=[] if client in OFTEN else [pytest.mark.slow])
        for client, mode in USED
    ],
)
each_mutant = pytest.mark.parametrize(
    ("client", "encoding"),
    [
        pytest.param(
            client,
            mutant.encoding,
            id=f"{client.name}-{mutant.name}",
            marks=[] if client in OFTEN else [pytest.mark.slow],
        )
        for client in CLIENTS
        for mutant in client.mutants
        if mutant.breaks != "renewed"
    ],
)
"""Every mutant of a rebalance."""


NOT_IN_LETTERS = ("expires-always", "renews-what-is-locked")
"""Mutants that alphabets do not show.

The first, because no letter is overdue where nothing expires; cases of one queue show it. The second is about no
rebalance.
"""


def mutants(*clients: Client) -> Callable:
    """Parametrization over the mutants of these clients that their alphabets show."""
    found = [(client, mutant) for client in clients for mutant in client.mutants if mutant.name not in NOT_IN_LETTERS]
    return each(
        ("client", "encoding"),
        [pytest.param(client, mutant.encoding, id=f"{client.name}-{mutant.name}") for client, mutant in found],
    )


@cache
def letters_of(client: Client, mode: Mode) -> Alphabet:
    """Alphabet of the client in that mode."""
    return alphabet(client, mode)


class NeverAddsTheLast(JavaV5_2):
    """Wrong only with several queues: skips the last one of mqSet if the table has an entry."""

    def update_process_queue_table_in_rebalance(
        self, topic: str, mq_set: Collection[MessageQueue], is_order: bool, **rest: object
    ) -> bool:
        crowded = len(self.process_queue_table) > 0 and len(mq_set) > 1
        mq_set = list(mq_set)[:-1] if crowded else mq_set
        return super().update_process_queue_table_in_rebalance(topic, mq_set, is_order, **rest)


class NeverUnlocks(JavaV5_2):
    """Wrong even for a single queue."""

    def try_remove_order_message_queue(self, queue, entry):
        return True


CROWDED = replace(V5_2, driver=partial(JavaDriver, NeverAddsTheLast))
LOCKED = replace(V5_2, driver=partial(JavaDriver, NeverUnlocks))
ORDERED = ORDERLY.with_own_store()
"""A mode in which queues can throw."""


def compared(part, step: int | None = None) -> Totals:
    """All findings in a part, shard by shard."""
    totals = Totals()
    size = step or part.step
    for begin in range(0, part.codes, size):
        totals.merge(part.compare(begin, min(begin + size, part.codes)))
    return totals
