"""A small machine with two copies: workers that share a lock, which runs out."""

from dataclasses import dataclass, replace
from typing import Annotated

from rebalance_proofs.model.machine.client import Code, Wrong
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER, Others
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, step
from rebalance_proofs.model.machine.record import Record, Timed, Variable
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not, Or
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.possible import need
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.induction import Induction


@dataclass(frozen=True)
class Worker(Timed):
    has: Annotated[Bool, Variable("The worker believes that it has the lock.")]
    since: Annotated[
        Int,
        Variable(
            "When it took the lock.", matters=lambda s: s.has, room=lambda lim: (-lim.trusts - 1, 0), relative=True
        ),
    ]
    works: Annotated[Bool, Variable("The worker works.")]
    holder: Annotated[Int, Variable("The lock's owner.", shared=True, names=True)]
    taken: Annotated[
        Int,
        Variable(
            "When the lock was last taken.",
            matters=lambda s: s.holder != NOBODY,
            room=lambda lim: (-lim.keeps - 1, 0),
            relative=True,
            shared=True,
        ),
    ]
    lost: Annotated[Bool, Variable("Another worker has taken the lock since.", ghost=True)]


@dataclass(frozen=True)
class Choices(Record):
    heard: Annotated[Bool, Variable("The answer arrives.")]


@dataclass(frozen=True)
class Limits(Record):
    trusts: Annotated[Int, Variable("The longest time that a worker works under the lock.")]
    keeps: Annotated[Int, Variable("The time for which the lock is kept for a worker.")]


action = Actions()


def free(s, lim):
    return Or(s.holder != OTHER, s.now - s.taken > lim.keeps)


@action("The lock is taken.", choices=("heard",))
def takes(s, c, lim, client):
    return step(And(free(s, lim), Not(s.has)), holder=ME, taken=s.now, has=c.heard, since=s.now, lost=False)


@action("Work begins.")
def begins(s, c, lim, client):
    return step(And(s.has, Not(s.works)), works=True)


@action("Work ends.")
def ends(s, c, lim, client):
    return step(s.has, works=False, has=False)


@action("The lock is forgotten.", by=ENVIRONMENT)
def forgets(s, c, lim, client):
    return step(True, holder=NOBODY)


WORKERS = Machine(Worker, Choices, Limits, lambda blank, lim, client: blank.but(lost=True), action)


class Lock:
    def __init__(self, keeps):
        self.keeps, self.holder, self.taken = keeps, NOBODY, 0


class WorkerCode:
    def __init__(self, number, lock):
        self.number, self.lock, self.has, self.since, self.works = number, lock, False, 0, False

    def take(self, now, heard):
        need(self.lock.holder in (NOBODY, self.number) or now - self.lock.taken > self.lock.keeps)
        need(not self.has)
        self.lock.holder, self.lock.taken, self.has, self.since = self.number, now, heard, now

    def begin(self):
        need(self.has and not self.works)
        self.works = True

    def end(self):
        need(self.has)
        self.works = self.has = False


def put(worker, s, c):
    worker.has, worker.since, worker.works = s.has, s.since, s.works
    worker.lock.holder, worker.lock.taken = s.holder, s.taken


def seen(worker):
    holder = worker.lock.holder
    named = NOBODY if holder == NOBODY else ME if holder == worker.number else OTHER
    own = {name: getattr(worker, name) for name in ("has", "since", "works")}
    return {**own, "holder": named, "taken": worker.lock.taken}


def several(lim, numbers):
    lock = Lock(lim.keeps)
    return [WorkerCode(number, lock) for number in numbers]


CALLS = {
    "takes": lambda worker, s, c: worker.take(s.now, c.heard),
    "begins": lambda worker, s, c: worker.begin(),
    "ends": lambda worker, s, c: worker.end(),
    "forgets": lambda worker, s, c: setattr(worker.lock, "holder", NOBODY),
}


@dataclass(frozen=True)
class Client:
    name: str = "workers"

    @property
    def encoding(self):
        return ENCODING

    @property
    def code(self):
        return Code(lambda lim: several(lim, (ME,))[0], put, seen, CALLS, several=several)


CLIENT = Client()
ENCODING = WORKERS.encoding(CLIENT)


REMEMBERED = "no forgotten lock"


@dataclass(frozen=True)
class Premises(MachineWorld):
    """World in which nobody forgets the lock and workers have different numbers; each premise can be dropped."""

    @property
    def excludes(self):
        return {} if self.name == "forgotten" else {"forgets": REMEMBERED}

    @property
    def twins(self):
        return self.name == "twins"

    def waits(self, state, until, limits):
        return And(until >= state.now, Implies(state.has, until <= state.since + limits.trusts))


ALL = Premises("all", (REMEMBERED, "no two workers with one number"))


def works(s, lim):
    return s.works


CONFIGURATION = Configuration(
    WORKERS,
    lambda claim: works,
    Limits(trusts=20, keeps=30),
    ticks=Limits(trusts=2, keeps=3),
    copies=2,
    every=lambda claim: True,
    unseen=lambda claim: ("lost",),
    apart=True,
)


def took(s, then, lim, mine):
    return step(Or(s.holder != ME, s.now - s.taken > lim.keeps), holder=OTHER, taken=s.now, lost=True)


TAKEN = Others("others-take", "Another takes the lock.", "it is free, or has run out", took)
OWN = Conjunct(
    "own",
    "The lock is this one's, as long as it takes it for that.",
    lambda s, lim: Implies(s.has, And(s.holder == ME, Not(s.lost), s.taken == s.since, s.now <= s.since + lim.trusts)),
)
IDLE = Conjunct("idle", "Nobody works without it.", lambda s, lim: Implies(s.works, s.has))
PROOF = Induction(
    CONFIGURATION,
    CLIENT,
    ALL,
    (OWN, IDLE),
    lambda s, lim: And(s.works, s.holder != ME),
    ("own-lock", "whose work it is, its lock it is"),
    asked=lambda lim: {"a lock is kept for long enough": lim.trusts <= lim.keeps},
    begins=lambda s, lim: {"the lock is another's, or nobody's": Or(s.holder == NOBODY, s.holder == OTHER)},
    others=(TAKEN,),
)
TAKES_ANYHOW = Wrong(
    "takes-always",
    "The lock is given to whoever asks.",
    lambda s, c, lim, turn: replace(turn, guard=Not(s.has)),
    "takes",
)
