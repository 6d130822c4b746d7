"""The clients of claims about ordered consumption.

To add a client, add a line to ``CLIENTS``.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rebalance_proofs.model.client.environment import DENIED
from rebalance_proofs.model.client.go import Go
from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong, WrongParts
from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.machine import Turn
from rebalance_proofs.model.machine.values import And, Not, Or, term
from rebalance_proofs.model.ordered.code import code
from rebalance_proofs.model.ordered.consumer import OrderedConsumer
from rebalance_proofs.model.ordered.limits import Limits, OrderedRules
from rebalance_proofs.model.ordered.lock_manager import RebalanceLockManager
from rebalance_proofs.model.ordered.machine import ORDERED, listed
from rebalance_proofs.model.ordered.state import Choices, Ordered, Transition, Variant
from rebalance_proofs.model.releases import java_from
from rebalance_proofs.model.terms.finite import NO
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.transition import generations, java
from rebalance_proofs.model.transition.generations import Generation, TakenAsOne
from rebalance_proofs.model.transition.numbers import LOCKS
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

# Mutants of ordered consumption, each with one error that a claim or a proof must reject.

Mistake = Wrong[Ordered, Choices, Limits, Variant]
MistakenParts = WrongParts[Variant]
Turned = Turn[Ordered]
EXCLUSIVE = "exclusive"


def _as_it_is(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return turn


def _under_the_listener(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    gone = And(s.present, Not(turn.after.present))
    return turn.but(orphan=Or(s.orphan, And(gone, s.runs)))


def _adds_unasked(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return replace(turn, guard=Not(Or(s.present, s.adding, s.runs, s.closed)))


def _hurries(s: Ordered, c: Choices, lim: Limits, turn: Turned) -> Turned:
    return replace(turn, guard=And(turn.guard, s.now - s.stamp < lim.client))


def _renews_on(right: Any) -> dict[str, Any]:
    rules: OrderedRules = replace(right.rules, renews_on=True)
    return {"rules": rules, "listed": lambda s: listed(rules, s)}


def _fills(right: Any) -> dict[str, Any]:
    rebalances: Transition = right.step

    def fills(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = rebalances(entry, asked, thrown)
        cached = term(Or(step.after.cached, asked.lock == LOCKS.index(DENIED)))
        return replace(step, after=replace(step.after, cached=cached))

    return {"step": fills}


def _gives_back(client: Variant) -> bool:
    return client.gives_back


def _renews_twice(client: Variant) -> bool:
    return client.rules.renews_on


WRONG = (
    Mistake(
        "trusts-for-ever",
        "A consumer relies on a lock however old it is.",
        _as_it_is,
        "starts",
        EXCLUSIVE,
        takes_for=lambda s: s.but(stamp=s.now),
    ),
    Mistake(
        "hears-too-much",
        "A consumer counts a renewal as granted without an answer.",
        lambda s, c, lim, turn: replace(turn, guard=s.present),
        "renewed",
        EXCLUSIVE,
    ),
    Mistake(
        "grants-to-all",
        "The broker grants every lock request of a rebalance.",
        lambda s, c, lim, turn: replace(turn, guard=Not(Or(s.present, s.adding, s.closed))),
        "locks",
        EXCLUSIVE,
    ),
    Mistake(
        "renews-for-all",
        "The broker renews the lock for every consumer that asks.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "returns-too-early",
        "A renewal releases the lock.",
        lambda s, c, lim, turn: turn.but(unlocking=s.present),
        "renews",
        EXCLUSIVE,
    ),
    Mistake(
        "under-the-listener",
        "A rebalance releases the lock under a running listener.",
        _under_the_listener,
        "revokes",
        EXCLUSIVE,
        _gives_back,
        lambda s: s.but(orphan=True),
    ),
    Mistake(
        "frees-any",
        "The broker accepts unlock requests from every consumer.",
        lambda s, c, lim, turn: turn.but(holder=NOBODY),
        "returned",
        EXCLUSIVE,
        _gives_back,
    ),
    Mistake(
        "adds-unasked", "A rebalance adds a queue without its lock.", _adds_unasked, "adds", EXCLUSIVE, _gives_back
    ),
    Mistake(
        "waits-for-nothing",
        "A shutdown releases the locks at once, whatever its wait setting is.",
        lambda s, c, lim, turn: replace(turn.but(cached=s.cached), guard=And(s.stopping, Not(Or(s.yielded, s.closed)))),
        "gives_back",
        EXCLUSIVE,
        _renews_twice,
    ),
    Mistake(
        "pulls-at-once",
        "The first pull of a new process queue is not delayed.",
        _as_it_is,
        "pulls",
        "exclusive.renewed-alike",
        _renews_twice,
        lambda s: s.but(pulls_from=s.now),
    ),
    MistakenParts(
        "renews-on",
        "Renewals continue after the consumer's shutdown.",
        _renews_on,
        "given-back",
        lambda client: client.rules.waits_for_listener and not client.rules.renews_on,
    ),
)
FEW = ("trusts-for-ever", "grants-to-all", "under-the-listener", "pulls-at-once", "renews-on")
"""Names of the mutants for a client that differs from another one only in the rebalance.

They are errors in the rebalance, and a few others.
"""
SLIPS = (
    Mistake(
        "runs-on",
        "After any action, a listener runs.",
        lambda s, c, lim, turn: turn.but(runs=True, since=turn.after.since + 1, unlocking=True),
    ),
    Mistake(
        "again",
        "After any action, two listener calls run, and the process queue leaves the table later than now.",
        lambda s, c, lim, turn: turn.but(twice=True, left=turn.after.left + 1),
    ),
    Mistake(
        "keeps",
        "After any action, the consumer holds the lock that its shutdown released.",
        lambda s, c, lim, turn: turn.but(yielded=True, stopping=False, unlocking=False, holder=ME),
    ),
    MistakenParts("forgets", "No lock is ever renewed.", lambda right: {"listed": lambda s: NO}),
    Mistake("hurries", "The listener is not called at the last permitted moment.", _hurries, "starts"),
    Mistake(
        "sends-again",
        "An unlock request is sent that was not delayed.",
        lambda s, c, lim, turn: replace(turn, guard=True),
        "returns",
    ),
    MistakenParts("fills", "Messages arrive where a lock is denied.", _fills),
)
"""Mutants where every action also makes one wrong change, and others.

See ``proofs.mutation.slips``.
"""


@dataclass(frozen=True)
class OrderedClient(MachineClient, TakenAsOne):
    """Releases of a client whose ordered consumption behaves the same."""

    rules: OrderedRules
    few_mutants: bool = False
    """Whether only the mutants in ``FEW`` are tested.

    This is enough if the client differs from another client only in the rebalance.
    """
    machine, wrong = ORDERED, WRONG

    @cached_property
    def transition(self) -> Transition:
        """The client's rebalance of one queue, as an SMT encoding."""
        return java.encoding(self.rebalance).step

    @cached_property
    def mutants(self) -> tuple[Mutant, ...]:
        """Mutants of the encoding, each with one error; only those in ``FEW`` if ``few_mutants``."""
        return tuple(one for one in super().mutants if one.name in FEW or not self.few_mutants)

    @cached_property
    def code(self) -> Code[Ordered, Choices, Limits, OrderedConsumer]:
        """How the client's Python code implements the machine (refinement map)."""
        return code(self.consumer)

    @property
    def gives_back(self) -> bool:
        """Whether a rebalance that removes a queue unlocks it."""
        return self.rebalance.gives_back

    @property
    def renews_under_listener(self) -> bool:
        """Whether ``lockAll`` renews the lock while the listener runs.

        It does if the process queue stays in the table until then, and ``lockAll`` does not skip it.
        """
        return self.rules.renews_marked and self.gives_back

    @property
    def pulls_later(self) -> bool:
        """Whether the client delays the first pull of a new process queue (``Limits.first_pull``)."""
        return self.rebalance.pull_delay > 0

    @property
    def forces(self) -> bool:
        """Whether the client unlocks a queue whose listener runs if the lock is old.

        The lock was then not renewed for too long.
        """
        return self.rebalance.gives_back and self.rebalance.keeps_offset and self.rebalance.forces

    @property
    def puts_off(self) -> bool:
        """Whether the client delays the unlock of a queue with cached messages."""
        return self.rebalance.gives_back and not self.rebalance.keeps_offset

    def consumer(self, client_id: int, broker: RebalanceLockManager, limits: Limits) -> OrderedConsumer:
        """Return a new consumer that runs the client's Python code."""
        return OrderedConsumer(self.made, client_id, broker, limits, rules=self.rules)


V4_9 = OrderedClient(
    "java_v4_9",
    "Java 4.9.5 to 4.9.8",
    (generations.V4_9_5, generations.V4_9_8),
    OrderedRules(returns_dropped=True, renews_marked=True),
)
V4_9_0 = OrderedClient(
    "java_v4_9_0",
    "Java 4.9.0 to 4.9.4",
    (generations.V4_9_0, generations.V4_9_1),
    OrderedRules(returns_dropped=True, renews_marked=True),
    few_mutants=True,
)
"""Java 4.9.0 to 4.9.4: a new process queue waits for the first renewal of its lock.

See rocketmq#2621. Known from its source; it was not run.
"""
V5_0 = OrderedClient(
    "java_v5_0",
    "Java 5.0 to 5.1.4",
    (generations.V5_0,),
    OrderedRules(returns_dropped=False, renews_on=True),
    few_mutants=True,
)
V5_2 = OrderedClient(
    "java_v5_2",
    java_from("5.2"),
    generations.FROM_5_2,
    OrderedRules(returns_dropped=False, renews_on=True),
)
GO = OrderedClient(
    "go",
    "Go 2.1",
    (Generation(("go",), Go, replace(generations.V4_9_8.rules, gives_back=False, new_locked=False)),),
    OrderedRules(
        returns_dropped=True,
        renews_marked=True,
        waits_for_listener=False,
        stamps_denials=True,
        constants=("client", "renewal"),
    ),
)
"""Go 2.1: known from its source. Its ordered consumption was not run or recorded."""

CLIENTS = (V4_9_0, V4_9, V5_0, V5_2, GO)
OLDER = (V4_9_0,)
"""Clients for which no claim drops an assumption."""
