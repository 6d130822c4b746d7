"""Pictures of the findings page: counterexamples to refuted claims, examples of proved claims."""

from dataclasses import dataclass
from functools import cached_property

from rebalance_proofs.model.worlds.groups import Groups, Values
from rebalance_proofs.model.worlds.ring_views import RINGS_OF_1
from rebalance_proofs.model.worlds.two_rings import digits_of
from rebalance_proofs.proofs.allocation.search import first_violation, violated
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.kinds import smallest


@dataclass(frozen=True)
class Picture:
    """A group to draw for a claim: by default, the claim's smallest counterexample."""

    id: str
    """The claim's id."""
    size: tuple[int, int] | None = None
    """(number of consumers, number of queues) of a group that is too large to be found by search."""
    values: Values | None = None
    """Values that determine the group, such as hash values.

    Used if they give a clearer group than the smallest counterexample, or if the claim holds.
    """
    says: str = ""
    """The caption, if the picture shows no violation."""
    world: Groups | None = None
    """The set of groups from which ``values`` selects one, if not the set of the claim."""

    @cached_property
    def claim(self) -> Claim:
        """Return the claim. Raises ``StopIteration`` if the ledger does not have it."""
        return next(claim for claim in LEDGER if claim.id == self.id)

    @cached_property
    def example(self) -> Counterexample:
        """Return the group to draw. Raises ``LookupError`` if it does not fit the claim's verdict."""
        if self.size is None:
            return smallest(self.claim)
        if self.values is None:
            found = first_violation(self.claim.guarantee, self.claim.world, self.claim.subjects, *self.size)
        else:
            found = self._chosen(*self.size, self.values)
        if found is None:
            raise LookupError(f"{self.id}: the group of {self.size} is no counterexample")
        return found

    def _chosen(self, n: int, q: int, values: Values) -> Counterexample | None:
        group = (self.world or self.claim.world).group(self.claim.subjects, n, q, values)
        wrong = violated(self.claim.guarantee, group)
        holds = self.claim.expected is Verdict.PROVED
        if holds != (wrong is None):
            return None
        return Counterexample(n, q, values, group, self.says or wrong or "")


def on_ring(*hashes: int) -> Values:
    """Return ``Picture.values`` for a hash ring, from hashes of virtual nodes and then of queues."""
    return digits_of(hashes)


PICTURES: dict[str, Picture] = {
    "one-id": Picture("allocation.avg.covers.without-distinct-ids"),
    "one-id-hash": Picture("allocation.hash.disjoint.without-distinct-ids"),
    "ids-twice": Picture("allocation.avg.disjoint.without-same-cid-all"),
    "ids-nobody": Picture("allocation.avg.covers.without-same-cid-all"),
    "ids-hash": Picture("allocation.hash.disjoint.without-same-cid-all"),
    "routes-twice": Picture("allocation.avg.disjoint.without-same-mq-all"),
    "routes-nobody": Picture("allocation.avg.covers.without-same-mq-all"),
    "routes-hash": Picture("allocation.hash.covers.without-same-mq-all"),
    "order-of-queues": Picture("allocation.avg.disjoint.without-same-order"),
    "order-of-ids": Picture("allocation.avg.disjoint.without-same-id-order"),
    "order-of-ids-hash": Picture("allocation.hash.covers.without-same-id-order"),
    "old-id": Picture("allocation.avg.covers.without-own-id-listed"),
    "subscriptions": Picture("allocation.avg.covers.without-same-subscription"),
    "mixed-strategies": Picture("allocation.avg+circle.disjoint.without-same-strategy"),
    "room": Picture(
        "allocation.room.listed", (2, 3), (0, 1, 2), "Queues 1 and 2 are in no listed room: they have no consumer."
    ),
    "room-go": Picture("allocation.room-go.listed"),
    "room-go-twice": Picture("allocation.room-go.disjoint.with-a-room-twice"),
    "nearby": Picture(
        "allocation.nearby.covers",
        (2, 3),
        (0, 1, 2, 0, 1),
        "Queue 2 is in a room without consumers, so all share it: it goes to c0.",
    ),
    "nearby-config": Picture("allocation.nearby-config.home"),
    "nearby-idle": Picture("allocation.nearby.idle", (3, 2)),
    "config": Picture("allocation.config.disjoint"),
    "hash-unbalanced": Picture("allocation.hash.balanced", (2, 2), (0, 0, 0, 0, 0, 0)),
    "hash-idle": Picture("allocation.hash.idle", (3, 2)),
    "hash-collision": Picture(
        "allocation.hash.successor",
        (2, 2),
        on_ring(2, 2, 1, 3),
        "c1 has both queues: its virtual node replaced the one of c0.",
        RINGS_OF_1,
    ),
    "hash-no-nodes": Picture("allocation.hash.covers.without-virtual-nodes"),
    "clients-hash": Picture(
        "clients.hash+hash-go.disjoint.without-same-client", (2, 1), (*on_ring(3, 2, 1), *on_ring(2, 3, 1), 1, 0)
    ),
    "clients-hash-same": Picture("clients.hash+hash-go.same", (2, 1), (*on_ring(3, 2, 1), *on_ring(2, 3, 1))),
    "clients-room-go": Picture("clients.room+room-go.disjoint.without-same-client"),
    "clients-room-rust": Picture("clients.room+room-rust.disjoint.without-same-client"),
    "clients-room-go-rust": Picture("clients.room-go+room-rust.disjoint.without-same-client"),
    "clients-nearby": Picture("clients.nearby+nearby-go.disjoint.without-same-client"),
    "topics": Picture("topics.avg-per-topic.level"),
    "topics-kafka-range": Picture("topics.kafka-range.level"),
    "topics-one-list": Picture("topics.avg-one-list.level", (2, 2), (1,), "c0 and c1 have one queue each."),
    "pop-few": Picture("assignment.pop-avg.backed-up"),
    "pop-join": Picture("assignment.pop-avg.no-fewer"),
    "pop-mixed": Picture("assignment.pop-avg+circle.covers.without-same-strategy"),
    "join-avg": Picture("movement.avg.monotone"),
    "join-avg-last": Picture("movement.avg.attained", (4, 4), (3,), "3 of 4 queues move, although c3 gets only one."),
    "join-circle": Picture("movement.circle.reshuffle", (3, 4), (0,), "All queues move."),
    "grown-avg": Picture("growth.avg.steady"),
    "grown-circle": Picture("growth.circle.steady"),
    "joins-avg": Picture("joins.avg.no-return"),
    "restart-avg": Picture("joins.avg.own-only"),
    "join-hash": Picture(
        "allocation.hash.monotone",
        (3, 3),
        (2, *on_ring(3, 7, 5, 9, 2, 8, 1, 4, 6)),
        "Only queue 0 moves: the joining c2 takes it.",
    ),
}
"""The pictures by file name."""
