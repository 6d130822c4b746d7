"""The declared machines, and what is pinned of each. To add one: a line in ``MACHINES``."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.offsets.ways import Way
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.offsets.configuration import configuration
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION as ORDERED
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION as PULLS
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION as SETTLING
from rebalance_proofs.spark_enum.machine.steps import Steps
from rebalance_proofs.spark_enum.offsets.witness import ByLoopSteps, ConcurrentSteps, OrderlySteps
from rebalance_proofs.spark_enum.ordered.witness import OrderedSteps
from rebalance_proofs.spark_enum.pulls.witness import PullsSteps
from rebalance_proofs.spark_enum.settling.witness import SettlingSteps

__all__ = ["CLAIMS", "CLIENTS", "MACHINES", "Declared"]


@dataclass(frozen=True)
class Declared:
    """A machine with all that is made of it."""

    kind: str
    configuration: Configuration
    steps: type[Steps]
    lengths: Mapping[str, int]
    """Of refuted claims, by guarantee, the actions of the shortest run; where that differs, by client and guarantee, or
    by guarantee and circumstances, or by all three."""
    apiece: bool = True
    """Each proof needs each conjunct of its invariant; else one of a client's proofs of the guarantee does."""
    way: Way | None = None
    """Of a kind with a machine for each way to consume, which this is of."""
    spare: Collection[tuple[str, str]] = ()
    """Guarantees, with or without circumstances or clients, and conjuncts that they are proved without; but then a
    model of the premises may be a state of no client's code."""
    large: Sequence[str] = ()
    """Of a machine of which not everything is tried: the clients of which more is."""
    also: Collection[str] = ()
    """Claims of others of which no conjunct can be left out."""
    ends: Collection[str] = ()
    """Of such a one, worlds of whose copies all states are explored."""
    goes_on: Collection[str] = ()
    """Worlds in which all of them take more memory than a test should, and some more actions are tried."""
    several: Collection[str] = ()
    """Fields that are about any one of several: with more than one of these the code may look at another."""
    refined: bool = True
    """Its code runs on unknown numbers; else it keeps them in sets."""

    def of(self, claim: Claim) -> Configuration:
        """What is asked of the machine in a claim's world."""
        return self.configuration if self.way is None else configuration(claim.world)

    def length(self, claim: Claim) -> int:
        """Of one of them."""
        name = claim.guarantee.name
        client = claim.subjects[0].name
        keys = f"{client}.{name}.{claim.variant}", f"{client}.{name}", f"{name}.{claim.variant}", name
        return next(self.lengths[key] for key in keys if key in self.lengths)

    def tries(self, client) -> bool:
        """All that can be is tried of it."""
        return not self.large or client.name in self.large

    @property
    def claims(self) -> tuple[Claim, ...]:
        claims = KINDS[self.kind].claims()
        if self.way is None:
            return tuple(claims)
        return tuple(one for one in claims if len(one.subjects) == 1 and one.subjects[0].way is self.way)

    @property
    def clients(self) -> tuple:
        return tuple(dict.fromkeys(claim.subjects[0] for claim in self.claims))

    @property
    def named(self) -> str:
        return self.kind if self.way is None else f"{self.kind}-{self.way}"


OF_SETTLING = {"settles": 4, "woken": 6, "apart": 8, "java_v4_9_to_v5_1.alone": 5, "java_v5_2_to_v5_3.alone": 7}
OF_PULLS = {
    "one-request": 2,
    "has-request": 2,
    "has-request.without-callback": 3,
    "has-request.without-interrupt": 3,
    "healed": 4,
    "hits-own-entry": 6,
    "repairs-while-held": 5,
    "dies": 4,
    "only-lost": 3,
    "lets-go": 3,
}
OF_OFFSETS = {
    "not-skipped": 6,
    "not-skipped.without-copy": 7,
    "only-uncommitted": 12,
    "finished": 9,
    "once": 10,
    "never-back": 12,
    "hand-over": 10,
    "but-overtime": 11,
    "back-at-most": 18,
    "since-asked": 7,
    "since-added": 9,
    "reset-sent": 8,
    "reset-heard": 6,
}
OF_OFFSETS_BY_LOOP = {
    "not-skipped.without-answers": 5,
    "not-skipped.without-offset": 5,
    "not-skipped.without-above": 9,
    "not-skipped.without-open": 7,
    "back-at-most": 3,
    "stops": 5,
    "once": 10,
    "never-back": 12,
    "hand-over": 11,
    "but-overtime": 11,
}
OF_OFFSETS_IN_ORDER = {
    "not-skipped": 7,
    "finished": 10,
    "once": 15,
    "never-back": 13,
    "from-an-offset": 3,
    "one-batch.without-turn": 12,
    "one-batch.without-staying": 13,
    "one-batch.without-steady": 15,
    "since-added": 8,
    "since-pulled": 11,
    "reset-sent": 9,
    "reset-heard": 6,
}
SPARE_IN_ORDER = {("not-skipped", "held"), ("back-at-most", "answers"), ("finished", "held"), ("reset-sent", "held")}
SPARE_IN_ORDER |= {("from-an-offset", "held"), ("from-an-offset", "answers")}
SPARE_IN_ORDER |= {("not-skipped.first", "answers"), ("java_v5_2-orderly.since-pulled", "answers")}
SPARE = {("not-skipped.first", "answers"), ("java_v5.since-added", "answers")}
ALSO = ("offsets.java_v4_9.since-added", "offsets.java_v4_9-orderly.since-pulled")
GOES_ON = ("heeded", "awaited", "master")
SEVERAL = ("sending", "sent", "origin")
ENDS = {
    Way.CONCURRENTLY: ("committed", "committed-steady", "handed-over", "arriving"),
    Way.BY_LOOP: ("loop",),
    Way.ORDERLY: ("in-turn", "in-turn-steady", "arriving"),
}
OFFSETS = (
    (Way.CONCURRENTLY, ConcurrentSteps, OF_OFFSETS, SPARE, ("java_v5",)),
    (Way.BY_LOOP, ByLoopSteps, OF_OFFSETS_BY_LOOP, SPARE, ("node",)),
    (Way.ORDERLY, OrderlySteps, OF_OFFSETS_IN_ORDER, SPARE_IN_ORDER, ("java_v5_2-orderly",)),
)
OF_ORDERED = {
    "exclusive.without-time": 8,
    "exclusive.without-overtaken": 12,
    "exclusive.without-return": 14,
    "exclusive.without-shutdown": 12,
    "exclusive.without-unsubscribed": 13,
    "exclusive.without-restart": 9,
    "exclusive.without-twin": 8,
    "java_v5_2.exclusive.without-time": 10,
    "exclusive.renewed-as-shipped": 11,
    "go.exclusive.without-time": 12,
    "go.exclusive.without-shutdown": 15,
    "go.exclusive.without-restart": 13,
    "go.exclusive.without-twin": 12,
    "given-back": 7,
}
MACHINES = (
    Declared("settling", SETTLING, SettlingSteps, OF_SETTLING),
    Declared("pulls", PULLS, PullsSteps, OF_PULLS),
    Declared("ordered", ORDERED, OrderedSteps, OF_ORDERED, apiece=False),
    *(
        Declared(
            "offsets",
            steps.space.configuration,
            steps,
            lengths,
            way=way,
            spare=spare,
            large=last,
            also=ALSO,
            ends=ENDS[way],
            goes_on=GOES_ON,
            several=SEVERAL,
            refined=False,
        )
        for way, steps, lengths, spare, last in OFFSETS
    ),
)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
