"""The environment of a Java client that has no user-defined offset store.

It uses the client's default offset store and ``MQAdminImpl``.
"""

from collections.abc import Mapping
from typing import cast

from rebalance_proofs.model.client.effects import MQClientException
from rebalance_proofs.model.client.environment import BENIGN, FAILS, THROWS, Answers, Environment
from rebalance_proofs.model.queues import MessageQueue


class ShippedEnvironment(Environment):
    """An environment whose parts throw only exceptions that the client expects.

    This holds whatever the brokers do.
    """

    def __init__(self, answers: Mapping[MessageQueue, Answers], now: int = 0) -> None:
        super().__init__(answers, now)
        self.offset_table: dict[MessageQueue, int] = {}
        """The offset of each queue in memory: the consumed offset, or the one read from the store."""

    def _query(self, name: str, queue: MessageQueue) -> int:
        """Run ``MQAdminImpl.maxOffset`` or ``.searchOffset``.

        Every failure of the call is an ``MQClientException``.
        """
        said = self.answers.get(queue, BENIGN).queried
        self.effects.append((name, queue, said))
        if said in (FAILS, THROWS):
            raise MQClientException(name)
        return cast(int, said)
