"""A small machine without a clock: tickets are drawn and called; no ticket is called before it was drawn."""

from dataclasses import dataclass, replace
from typing import Annotated

from rebalance_proofs.model.machine.client import Code, Wrong
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import ENVIRONMENT, Actions, Machine, step
from rebalance_proofs.model.machine.record import Record, Variable
from rebalance_proofs.model.machine.values import And, Bool, If, Int
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.possible import need
from rebalance_proofs.proofs.machine.configuration import Configuration


@dataclass(frozen=True)
class Desk(Record):
    drawn: Annotated[Int, Variable("How many tickets were drawn.")]
    called: Annotated[Int, Variable("How many tickets were called.")]
    busy: Annotated[Bool, Variable("Somebody is served.")]
    most: Annotated[Int, Variable("How many tickets lay there at first.", ghost=True)]


@dataclass(frozen=True)
class Choices(Record):
    two: Annotated[Bool, Variable("Two tickets are drawn.")]


@dataclass(frozen=True)
class Limits(Record):
    tickets: Annotated[Int, Variable("How many tickets there are.")]


action = Actions()


@action("Somebody comes.", choices=("two",), by=ENVIRONMENT)
def draws(s, c, lim, desk):
    count = If(c.two, 2, 1)
    return step(s.drawn + count <= lim.tickets, drawn=s.drawn + count)


@action("The next one is called.", lambda before, after, c, desk: f"Number {after.called} is called")
def calls(s, c, lim, desk):
    return step(And(s.called < s.drawn, s.busy == False), called=s.called + 1, busy=True)  # noqa: E712  # a term


@action("Nobody is served any more.")
def ends(s, c, lim, desk):
    return step(s.busy, busy=False)


@action("A number is called again.", has=lambda desk: desk.repeats)
def repeats(s, c, lim, desk):
    return step(s.called > 0, busy=True)


TICKETS = Machine(Desk, Choices, Limits, lambda blank, lim, desk: blank.but(most=lim.tickets), action)


class DeskCode:
    def __init__(self, limits):
        self.left, self.drawn, self.called, self.busy = limits.tickets, 0, 0, False

    def draw(self, count):
        need(self.left >= count)
        self.left, self.drawn = self.left - count, self.drawn + count

    def call(self):
        need(self.called < self.drawn)
        need(not self.busy)
        self.called, self.busy = self.called + 1, True

    def end(self):
        need(self.busy)
        self.busy = False


def put(desk, s, c):
    desk.left, desk.drawn, desk.called, desk.busy = desk.left - s.drawn, s.drawn, s.called, s.busy


@dataclass(frozen=True)
class Client:
    name: str = "desk"
    repeats: bool = False

    @property
    def encoding(self):
        return ENCODING

    @property
    def code(self):
        calls = {
            "draws": lambda desk, s, c: desk.draw(2 if c.two else 1),
            "calls": lambda desk, s, c: desk.call(),
            "ends": lambda desk, s, c: desk.end(),
        }
        seen = ("drawn", "called", "busy")
        return Code(DeskCode, put, lambda desk: {name: getattr(desk, name) for name in seen}, calls)


CLIENT = Client()
ENCODING = TICKETS.encoding(CLIENT)
AHEAD = Conjunct("ahead", "None is called that was not drawn.", lambda s, lim: s.called <= s.drawn)
BOUND = Conjunct("bound", "No more are drawn than there are.", lambda s, lim: s.drawn <= lim.tickets)


def bad(s, lim):
    return s.called > lim.tickets


CONFIGURATION = Configuration(TICKETS, lambda claim: bad, Limits(tickets=5), ticks=Limits(tickets=3), end=0)
WORLD = MachineWorld("any", ())
CALLS_ANY = Wrong(
    "calls-any", "A number is called that nobody drew.", lambda s, c, lim, turn: replace(turn, guard=True), "calls"
)
