"""Workers increment a counter: each reads it, then writes one more. Under a lock, no addition is lost."""

from dataclasses import dataclass
from typing import Annotated

from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, Step, step
from rebalance_proofs.model.machine.record import Record, Shown, Variable
from rebalance_proofs.model.machine.values import And, Bool, Implies, Int, Not
from rebalance_proofs.model.possible import need


@dataclass(frozen=True)
class Counter(Record):
    value: Annotated[Int, Variable("The counter's value.", shown=Shown("counter"))]
    reading: Annotated[Bool, Variable("The worker has read but not yet written.", shown=Shown("reading"))]
    seen: Annotated[Int, Variable("The value that the worker read last.", shown=Shown("seen"))]
    added: Annotated[Int, Variable("The number of additions.", ghost=True)]


action: Actions = Actions()


@action("The worker reads the counter.")
def reads(s: Counter, c: Record, lim: Record, worker) -> Step:
    return step(Not(s.reading), reading=True, seen=s.value)


@action("It writes one more than it has read.")
def writes(s: Counter, c: Record, lim: Record, worker) -> Step:
    return step(s.reading, reading=False, value=s.seen + 1, added=s.added + 1)


@action("Another worker reads and writes.", by=ENVIRONMENT)
def others(s: Counter, c: Record, lim: Record, worker) -> Step:
    return step(Not(And(worker.locks, s.reading)), value=s.value + 1, added=s.added + 1)


class Worker:
    value, reading, seen = 0, False, 0

    def reads(self) -> None:
        need(not self.reading)
        self.reading, self.seen = True, self.value

    def writes(self) -> None:
        need(self.reading)
        self.reading, self.value = False, self.seen + 1

    def others(self) -> None:
        self.value += 1


WORKERS = Machine(Counter, Record, Record, lambda blank, lim, worker: blank, action)
AHEAD = Conjunct("ahead", "The counter equals the number of additions.", lambda s, lim: s.value == s.added)
READ = Conjunct("read", "The value read is the counter's value.", lambda s, lim: Implies(s.reading, s.seen == s.value))
NOTHING_LOST = "nothing-lost", "no addition is lost", "a test", (AHEAD, READ), lambda s, lim: s.value != s.added
"""The claim: its name, sentence, source, invariant, and bad states."""
