"""Registry of the declared machines, with their pinned facts. To add one: a line in ``MACHINES``."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.machines.offsets.state import Way
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine import declared
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.machine.declared import telling
from rebalance_proofs.spark_enum.machine.declared import steps
from rebalance_proofs.spark_enum.machine.steps import Steps


@dataclass(frozen=True)
class Declared:
    """A declared machine, with everything that is derived from it."""

    kind: str
    configuration: Configuration
    steps: type[Steps]
    lengths: Mapping[str, int]
    """Length of the shortest trace of each refuted claim, in actions. Keys: the guarantee; where lengths differ, also
    the client in front, the circumstances behind, or both.
    """
    often: tuple[str, ...] = ()
    """Actions that random walks prefer; empty if all are equally likely."""
    unrolled: int = 4
    """Greatest length of traces for which a solver is asked whether there is a shorter one."""
    left_out: Callable[[Counterexample], int] = lambda example: 0
    """Number of actions of a trace that have no line of their own."""
    by_z3: tuple[str, ...] = ()
    """Actions whose code has too many paths for cvc5 to decide; only slow tests follow code with so many."""
    alike: bool = False
    """Whether clients differ so little that each claim is tried with the encodings of all clients."""

    apiece: bool = True
    """Whether each proof needs each conjunct of its invariant; else one of a client's proofs of the guarantee does."""
    way: Way | None = None
    """How queues are consumed, for a kind with one machine for each way."""
    spare: Collection[tuple[str, str]] = ()
    """(guarantee, conjunct): the guarantee is proved without the conjunct, but then a model of the premises may be a
    state of no client's code. Guarantees with or without circumstances or clients."""
    heavy: bool = False
    """Whether it has so many states and obligations that only slow tests ask everything."""
    large: Sequence[str] = ()
    """For a machine too large to try everything: names of the clients that are tried in full; else empty."""
    also: Collection[str] = ()
    """Ids of claims of other clients whose conjuncts are all tried."""
    ends: Collection[str] = ()
    """Names of worlds of a large machine that are explored to the end."""
    goes_on: Collection[str] = ()
    """Names of worlds whose exploration would take too much memory; some more actions are tried."""
    several: Collection[str] = ()
    """Fields about an arbitrary one of several things; the code may look at another one of them."""
    refined: bool = True
    """Whether its code runs on unknown numbers; code that keeps them in sets does not."""

    def of(self, claim: Claim) -> Configuration:
        """The configuration of the machine in a claim's world."""
        return self.configuration if self.way is None else declared.configured(self.kind, claim)

    def told_of(self, client) -> list[Claim]:
        """The claims that are tried with a client's encoding."""
        return [claim for claim in self.claims if self.alike or claim.subjects == (client,)]

    def length(self, claim: Claim) -> int:
        """Pinned length of a claim's shortest trace."""
        name, client = claim.guarantee.name, claim.subjects[0].name
        keys = f"{client}.{name}.{claim.variant}", f"{client}.{name}", f"{name}.{claim.variant}", name
        return next(self.lengths[key] for key in keys if key in self.lengths)

    def tries(self, client) -> bool:
        """Whether a client is tried in full."""
        return not self.large or client.name in self.large

    @property
    def claims(self) -> tuple[Claim, ...]:
        claims = (claim for claim in KINDS[self.kind].claims() if len(claim.subjects) == 1)
        return tuple(claim for claim in claims if self.way in (None, getattr(claim.subjects[0], "way", None)))

    @property
    def clients(self) -> tuple:
        return tuple(dict.fromkeys(claim.subjects[0] for claim in self.claims))

    @property
    def named(self) -> str:
        return self.kind if self.way is None else f"{self.kind}-{self.way}"


def idle(example: Counterexample) -> int:
    """Number of scans that remove nobody and have no line: each stretch of them shares one line."""
    found = [one.idle for one in telling("registry").answered(example.group)]
    return sum(found) - sum(now and not before for now, before in zip(found, (False, *found), strict=False))


OF_SETTLING = {
    "settles": 4,
    "woken": 6,
    "waits": 13,
    "one-wait": 10,
    "apart": 8,
    "java_v5_5_1.apart": 9,
    "java_v4_9_to_v5_1.alone": 5,
    "java_v5_2_to_v5_3.alone": 7,
    "java_v5_5_1.alone": 8,
}
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
OF_SUBSCRIPTIONS = {
    "calm": 1,
    "accepted-soon": 6,
    "java_v4_9_to_v5_3.accepted": 6,
    "java_v5_1_3_heartbeat_v2.accepted": 10,
    "java_v5_1_3_heartbeat_v2.accepted.forgotten": 6,
    "java_v4_9_to_v5_3.answered": 4,
    "java_v5_1_3_heartbeat_v2.answered": 7,
    "own-tags": 2,
    "all-tags": 1,
    "first-pull": 2,
    "first-pull.without-free": 6,
}
OF_RECEIVING = {
    "go.one-loop": 6,
    "one-loop": 3,
    "received": 6,
    "received.without-progress": 5,
    "go.let-go": 4,
    "let-go": 6,
    "python_v5_0.emptied": 6,
    "emptied": 4,
    "unharmed": 4,
    "apart": 3,
    "unsubscribed": 3,
    "stopped": 3,
}
OFTEN = ("ticks", "sends", "arrives", "ends", "pulls", "firsts")
RARE = ("leaves", "trails", "dies", "vanishes", "breaks", "restarts")
"""Actions of a member after which little happens, or that follow one of them."""
OFTEN_REGISTERED = tuple(name for name in declared.page("registry").machine.actions if name not in RARE)
OF_REGISTRY = {
    "listed": 6,
    "again.without-heartbeats": 2,
    "again.without-alone": 5,
    "gone": 19,
    "at-once": 5,
    "good-bye.without-in-flight": 5,
    "good-bye.without-order": 6,
    "not-started": 18,
    "once.without-close": 7,
    "once.without-order": 6,
    "agree": 15,
    "told.without-close": 6,
    "told.without-notifications": 5,
    "told-late": 9,
    "anew": 3,
    "routed": 2,
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
SPARE_IN_ORDER |= {(name, "unreset") for name in ("not-skipped", "only-uncommitted", "from-an-offset", "finished")}
SPARE_IN_ORDER |= {("not-skipped.first", "offsets")}
SPARE = {("not-skipped.first", "answers"), ("java_v5.since-added", "answers")}
SPARE |= {(name, "held") for name in ("not-skipped", "back-at-most", "finished", "reset-sent")}
ALSO = ("offsets.java_v4_9.since-added", "offsets.java_v4_9-orderly.since-pulled")
GOES_ON = ("heeded", "awaited", "master")
SEVERAL = ("sending", "sent", "origin")
ENDS = {
    Way.CONCURRENTLY: ("committed", "committed-steady", "handed-over", "arriving"),
    Way.BY_LOOP: ("loop",),
    Way.ORDERLY: ("in-turn", "in-turn-steady", "arriving"),
}
OFFSETS = (
    (Way.CONCURRENTLY, OF_OFFSETS, SPARE, "java_v5"),
    (Way.BY_LOOP, OF_OFFSETS_BY_LOOP, SPARE, "node"),
    (Way.ORDERLY, OF_OFFSETS_IN_ORDER, SPARE_IN_ORDER, "java_v5_2-orderly"),
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
    "given-back.without-pending": 8,
}


def paged(name: str, lengths: Mapping[str, int], *more, **other) -> Declared:
    """The machine of a page."""
    return Declared(name, declared.configuration(name), steps(name), lengths, *more, **other)


MACHINES = (
    paged("settling", OF_SETTLING),
    paged("pulls", OF_PULLS),
    paged("subscriptions", OF_SUBSCRIPTIONS, OFTEN),
    paged(
        "registry",
        OF_REGISTRY,
        OFTEN_REGISTERED,
        unrolled=7,
        left_out=idle,
        by_z3=("scans",),
        alike=True,
    ),
    paged("receiving", OF_RECEIVING, apiece=False),
    *(
        Declared(
            "offsets",
            steps("offsets", last).space.configuration,
            steps("offsets", last),
            lengths,
            unrolled=12,
            way=way,
            spare=spare,
            heavy=True,
            large=(last,),
            also=ALSO,
            ends=ENDS[way],
            goes_on=GOES_ON,
            several=SEVERAL,
            refined=False,
        )
        for way, lengths, spare, last in OFFSETS
    ),
    paged("ordered", OF_ORDERED, unrolled=0, apiece=False, heavy=True),
)
CLAIMS = [(machine, claim) for machine in MACHINES for claim in machine.claims]
CLIENTS = [(machine, client) for machine in MACHINES for client in machine.clients]
