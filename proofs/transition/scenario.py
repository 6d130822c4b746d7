"""Scenarios of claims about rebalances: the use of the client, and its environment.

A round is one rebalance (or renewal of locks) in a scenario. A mode is one way to use a client: push or pull,
clustering or broadcasting, ordered or not, built-in or custom offset store.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from types import SimpleNamespace
from typing import ClassVar

from rebalance_proofs.model.client.pull_from_where import ConsumeFromWhere
from rebalance_proofs.model.client.settings import LITE_PULL
from rebalance_proofs.model.machine.world import listed
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.numbers import KINDS, WHERES
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.model.transition.step import NOTHING_THROWN, Asked, Entry, Step, Thrown, TransitionEncoding
from rebalance_proofs.model.transition.variables import (
    CONSUMER,
    ENTRY,
    MODE,
    QUEUE,
    ROUND,
    Case,
    Variable,
    name_of,
    possible,
    values_of,
)
from rebalance_proofs.model.transition.view import Table, View, renewed, renewed_table, table_of, unsubscribed, view_of
from rebalance_proofs.proofs.mutation.free import as_mutants
from rebalance_proofs.proofs.vacuity.goals import beyond

OF_QUEUE = frozenset(known.name for known in QUEUE)


@dataclass(frozen=True)
class Limit:
    """Range of a variable of a queue or of a round (one rebalance).

    None for no bound on that side.
    """

    name: str
    lowest: int | None = None
    highest: int | None = None
    passive_only: bool = False
    """Whether the limit applies only to push consumers, whose pulls the client schedules."""
    round: int | None = None
    """The round (rebalance), counted from 0, to which the limit applies; None for all."""

    def admits(self, value: int, mode: Mode) -> bool:
        """Return whether the limit allows the value in a mode of use.

        It does if the value is in the range, or the limit does not apply to the mode.
        """
        if self.passive_only and not KINDS[mode.kind].passive:
            return True
        return (self.lowest is None or value >= self.lowest) and (self.highest is None or value <= self.highest)

    def formula(self, term: smt.IntTerm, kind: smt.IntTerm) -> smt.BoolTerm:
        """Return the limit as a condition on a term.

        ``kind`` is the kind of consumer: push, pull or lite pull.
        """
        meant = smt.And(Variable(self.name, (0,), "", self.lowest, self.highest).in_range(term))
        if not self.passive_only:
            return meant
        passive = smt.Or([kind == number for number, found in enumerate(KINDS) if found.passive])
        return smt.Implies(passive, meant)


def exactly(name: str, value: int, round_: int | None = None) -> Limit:
    """Return the limit that a variable has exactly that value."""
    return Limit(name, value, value, round=round_)


class Action(Enum):
    """The client's action in a round: it rebalances, unsubscribes or renews locks."""

    REBALANCES = "rebalances"
    UNSUBSCRIBES = "unsubscribes"
    """The user unsubscribes from the topic, and the client removes all queues from its table."""
    RENEWS = "renews"
    """The client asks for the locks of all queues that it holds."""


@dataclass(frozen=True)
class Scenario:
    """One or more rebalances of one consumer with any number of queues, and limits on failures."""

    modes: tuple[Mode, ...]
    used: str = ""
    """The covered modes of use in words, to follow the client's name.

    Empty if all modes of the client are covered.
    """
    name: str = ""
    """Name of the scenario's assumption in claim ids: ``when-offsets-answer``; can be empty."""
    assumes: tuple[str, ...] = ()
    """The assumptions that the limits express, as noun phrases."""
    when: str = ""
    """A condition at the end of claim sentences, to follow "if".

    Empty if the sentence needs none.
    """
    limits: tuple[Limit, ...] = ()
    """Limits on the consumer's variables, and on those of every queue."""
    own: tuple[Limit, ...] = ()
    """Limits on the one queue that the claim is about; they do not apply to other queues."""
    rounds: int = 1
    foreign: bool = False
    """Whether mqSet (the assigned queues) may contain queues of other topics."""
    same_set: bool = False
    """Whether mqSet (the assigned queues) is the same in all rounds."""
    quiet: int | None = None
    """The number of initial rounds in which queues may cause exceptions.

    The limits exclude exceptions in later rounds, which is proved. None if exceptions are possible in all rounds.
    """
    action: Action = Action.REBALANCES
    apart: bool = False
    """Whether the queues of a case are one queue at several consumers, each with its own table."""
    subjects: int = 1
    """The number of clients that claims with this scenario compare."""
    most_queues: int = 2
    """The size of the largest table, in queues, that is searched for a counterexample."""

    def unknowns(self, queues: int) -> list[tuple[str, Variable]]:
        """Return the names and variables of all unknowns except the mode.

        They are those of the consumer, and for each queue its first state and its inputs in each round.
        """
        found = [(known.name, known) for known in CONSUMER]
        for queue in range(queues):
            rounds = range(self.rounds)
            found += [(name_of(known.name, queue, round_), known) for round_ in rounds for known in ROUND]
            found += [(name_of(known.name, queue), known) for known in QUEUE]
        return found

    def names(self, queues: int) -> tuple[str, ...]:
        """Return the names of all unknowns, including those of the mode of use."""
        return (*(known.name for known in MODE), *(name for name, _ in self.unknowns(queues)))

    def given(self, v: SimpleNamespace, queues: int) -> dict[str, smt.BoolTerm]:
        """Return the assumptions of the scenario, by sentences that describe them."""
        found = {"the consumer is used in one of the modes": self.used_in(v)}
        settable = smt.Implies(v.kind == KINDS.index(LITE_PULL), v.where != WHERES.index(ConsumeFromWhere.MIN_OFFSET))
        found["states and answers are possible"] = smt.And(
            [*possible(CONSUMER, values_of(v, CONSUMER, 0)), settable, *self._possible(v, queues)]
        )
        limited = [self._limited(self.limits, v, queue) for queue in range(queues)]
        if self.limits:
            found["; ".join(self.assumes) or "the scenario"] = smt.And(
                [formula for each in limited for formula in each]
            )
        return found

    def about(self, v: SimpleNamespace, queue: int = 0) -> dict[str, smt.BoolTerm]:
        """Return the assumption that the claim is about the queue with index ``queue``.

        Empty if the claim is about every queue.
        """
        return {"the claim is about this queue": smt.And(self._limited(self.own, v, queue))} if self.own else {}

    def goals(self, v: SimpleNamespace, bound: int) -> Iterator[tuple[str, smt.BoolTerm]]:
        """Yield the cases that the vacuity check must find: each mode, and values of each unknown.

        For a choice, these are all allowed values. A number, which is an unknown with more than a few values, also
        lies beyond ``bound`` if the limits allow that.
        """
        for mode in self.modes:
            used = [getattr(v, known.name) == getattr(mode, known.name) for known in MODE]
            yield f"used as {mode.name}", smt.And(used)
        named = {known.name for known in MODE}
        for name, known in self.unknowns(2 if name_of("present", 1) in vars(v) else 1):
            named.add(name)
            for value in sorted(set(known.values) | set(_between(known))):
                if self._leaves_open(name, known, value):
                    yield f"{name} = {value}", getattr(v, name) == value
            if not _between(known) and self._leaves_open(name, known, bound):
                yield beyond(name, getattr(v, name), bound)
        for name, term in vars(v).items():
            if name not in named:  # flags of exceptions in other queues, and variables of a guarantee
                shipped = name.startswith("thrown") and not any(mode.own_store for mode in self.modes)
                store = ", with the client's own stores" if shipped else ""
                yield from ((f"{name} = {value}{store if value else ''}", term == value) for value in (0, 1))

    def _leaves_open(self, name: str, known: Variable, value: int) -> bool:
        round_ = int(name.endswith(name_of("", 0, 1)))
        # a limit that no assumption mentions is no assumption of the claim
        spoken = self.limits if self.assumes else ()
        told = [limit for limit in (*spoken, *self.own) if limit.name == known.name]
        told = [limit for limit in told if limit.round in (None, round_)]
        return any(all(limit.admits(value, mode) for limit in told) for mode in self.modes)

    def used_in(self, v: SimpleNamespace) -> smt.BoolTerm:
        """Return the condition that the consumer is used in one of the modes."""
        return smt.Or(
            [smt.And([getattr(v, known.name) == getattr(mode, known.name) for known in MODE]) for mode in self.modes]
        )

    def mode_of(self, numbers: Mapping[str, int]) -> Mode:
        """Return the mode of use that an assignment of numbers to the unknowns describes.

        Raises ``StopIteration`` if the scenario does not cover the mode.
        """

        def agrees(mode: Mode) -> bool:
            return all(numbers.get(known.name, known.benign) == getattr(mode, known.name) for known in MODE)

        return next(mode for mode in self.modes if agrees(mode))

    def _possible(self, v: SimpleNamespace, queues: int) -> list[smt.BoolTerm]:
        found = []
        for queue in range(queues):
            state = values_of(v, QUEUE, queue)
            found += possible(QUEUE, state)
            unset = [getattr(state, known.name) == known.benign for known in ENTRY]
            found.append(smt.Implies(state.present == 0, smt.And(unset)))
            for round_ in range(self.rounds):
                asked = values_of(v, ROUND, queue, round_)
                found += possible(ROUND, asked)
                if not self.foreign:
                    found.append(smt.Implies(asked.in_set == 1, state.mine == 1))
                if self.same_set and round_:
                    found.append(asked.in_set == values_of(v, ROUND, queue, 0).in_set)
        return found

    def _limited(self, limits: tuple[Limit, ...], v: SimpleNamespace, queue: int) -> list[smt.BoolTerm]:
        return [limit.formula(term, v.kind) for limit in limits for term in self._terms(v, limit, queue)]

    def _terms(self, v: SimpleNamespace, limit: Limit, queue: int) -> list[smt.IntTerm]:
        if limit.name in OF_QUEUE:
            return [getattr(v, name_of(limit.name, queue))]
        rounds = range(self.rounds) if limit.round is None else [limit.round]
        return [getattr(v, name_of(limit.name, queue, round_)) for round_ in rounds]

    def admits(self, case: Case, mode: Mode) -> bool:
        """Return whether the scenario's limits and modes allow the case."""
        if KINDS[mode.kind] is LITE_PULL and WHERES[case.consumer["where"]] is ConsumeFromWhere.MIN_OFFSET:
            return False  # DefaultLitePullConsumer.setConsumeFromWhere refuses the deprecated values
        for number, state in enumerate(case.queues):
            if not state["present"] and any(state[known.name] != known.benign for known in ENTRY):
                return False
            rounds = [asked[number] for asked in case.rounds]
            if not self.foreign and not state["mine"] and any(asked["in_set"] for asked in rounds):
                return False
            if self.same_set and len({asked["in_set"] for asked in rounds}) > 1:
                return False
        queues = range(len(case.queues))
        return all(self._admitted(limit, case, queue, mode) for limit in self.limits for queue in queues)

    def meant(self, rounds: Rounds) -> Rounds:
        """Return the rounds with a flag for each queue: whether the claim is about it."""
        if not self.own:
            return replace(rounds, meant=())
        queues = range(len(rounds.case.queues))
        meant = (all(self._admitted(limit, rounds.case, queue, rounds.mode) for limit in self.own) for queue in queues)
        return replace(rounds, meant=tuple(meant))

    @staticmethod
    def _admitted(limit: Limit, case: Case, queue: int, mode: Mode) -> bool:
        if limit.name in OF_QUEUE:
            return limit.admits(case.queues[queue][limit.name], mode)
        rounds = case.rounds if limit.round is None else (case.rounds[limit.round],)
        return all(limit.admits(asked[queue][limit.name], mode) for asked in rounds)

    @property
    def loud(self) -> int:
        """Return the number of rounds in which queues may cause exceptions."""
        return self.rounds if self.quiet is None else self.quiet

    def thrown(self, encoding: TransitionEncoding, v: SimpleNamespace) -> tuple[dict[str, smt.BoolTerm], list[Thrown]]:
        """Return the assumption about exceptions at other queues, and their flags by round."""
        found, flags = [], []
        if self.action is Action.RENEWS:
            found.append(smt.And(0 <= v.found, v.found <= 1))
        for round_ in range(self.loud):
            terms = [getattr(v, name_of(name, 0, round_)) for name in THROWN_NAMES]
            found += [smt.And(0 <= term, term <= 1) for term in terms]
            flags.append(Thrown(*(term == 1 for term in terms)))
            found.append(encoding.possible(flags[-1], v.own_store == 1))
        flags += [NOTHING_THROWN] * (self.rounds - self.loud)
        return {"other queues throw only possible exceptions": smt.And(found)} if found else {}, flags

    def thrown_names(self) -> tuple[str, ...]:
        """Return the names of the unknowns about exceptions at other queues.

        For renewals, also the name of the unknown whether another queue came before.
        """
        more = ("found",) if self.action is Action.RENEWS else ()
        return (*more, *(name_of(name, 0, round_) for round_ in range(self.loud) for name in THROWN_NAMES))

    def view(self, encoding: TransitionEncoding, v: SimpleNamespace) -> View:
        """Return one queue through the rounds: its state, inputs and effects.

        Other queues cause exceptions as ``v`` specifies.
        """
        _, thrown = self.thrown(encoding, v)
        if self.action is Action.UNSUBSCRIBES:
            return unsubscribed(encoding, v, 0)
        if self.action is Action.RENEWS:
            return renewed(encoding, v, v.found == 1)
        return view_of(encoding, v, tuple(thrown))

    def table(self, encoding: TransitionEncoding, v: SimpleNamespace, queues: int) -> Table:
        """Return a table of ``queues`` queues through the rounds: their states, inputs and effects."""
        table = self._table(encoding, v, queues)
        if not self.own:
            return table
        meant = [smt.And(self._limited(self.own, v, queue)) for queue in range(queues)]
        views = (replace(view, meant=formula) for view, formula in zip(table.views, meant, strict=True))
        return replace(table, views=tuple(views))

    def _table(self, encoding: TransitionEncoding, v: SimpleNamespace, queues: int) -> Table:
        if self.action is Action.RENEWS:
            return renewed_table(encoding, v, queues)
        if self.action is Action.UNSUBSCRIBES:
            return Table(tuple(unsubscribed(encoding, v, queue) for queue in range(queues)), (NO,))
        if self.apart:
            alone = [view_of(encoding, v, (NOTHING_THROWN,) * self.rounds, queue) for queue in range(queues)]
            return Table(tuple(alone), (NO,) * self.rounds)
        return table_of(encoding, v, queues, self.rounds)

    kind: ClassVar[str] = "transition"
    """The name of the kind of claims that use scenarios."""

    # -- common interface of all worlds

    dropped = False
    sized = True
    defines: ClassVar[tuple[str, ...]] = ()

    otherwise = without = ""
    """Always empty: a scenario drops no assumption, but only adds some."""

    @property
    def sentence(self) -> str:
        """Return the assumptions as a sentence; empty if there are none."""
        return listed(self.assumes)

    @property
    def even_if(self) -> str:
        """Return the unusual event that the scenario allows, as words after "even if".

        Empty if there is none.
        """
        return "mqSet holds some of them" if self.foreign else ""


MOST_CHOICES = 16
"""Unknowns with at least this many values count as numbers, others as choices.

The vacuity check tries every value of a choice.
"""


def _between(known: Variable) -> range:
    """Return all values of a variable that is a choice; empty for a number."""
    if known.lowest is None or known.highest is None or known.highest - known.lowest >= MOST_CHOICES:
        return range(0)
    return range(known.lowest, known.highest + 1)


THROWN_NAMES = ("thrown_removing", "thrown_adding", "thrown_ever")


def numbers_of(values: Mapping[str, int], queues: int, rounds: int) -> Case:
    """Return the case (numbers by queue and round) that an assignment to the unknowns describes.

    Unknowns without a value have their defaults.
    """

    def read(places: _Places) -> dict[str, int]:
        return {name: values.get(unknown, benign) for name, unknown, benign in places}

    consumer, states, asked = _places(queues, rounds)
    return Case(read(consumer), tuple(map(read, states)), tuple(tuple(map(read, round_)) for round_ in asked))


_Places = tuple[tuple[str, str, int], ...]
"""A tuple (variable, unknown, default) for each variable, by name."""


@cache
def _places(queues: int, rounds: int) -> tuple[_Places, tuple[_Places, ...], tuple[tuple[_Places, ...], ...]]:
    """Return the variables of the consumer, of each queue, and of each queue in each round.

    Each has the names of the variable and of its unknown, and its default. The result is cached for many cases.
    """

    def places(known: tuple[Variable, ...], queue: int, round_: int | None = None) -> _Places:
        return tuple((found.name, name_of(found.name, queue, round_), found.benign) for found in known)

    return (
        places(CONSUMER, 0),
        tuple(places(QUEUE, queue) for queue in range(queues)),
        tuple(tuple(places(ROUND, queue, round_) for queue in range(queues)) for round_ in range(rounds)),
    )


# The rebalances of a scenario, unrolled as terms.
# Guarantees about rebalances are stated about them.


@dataclass(frozen=True)
class SymbolicRounds:
    """Rebalances of a client with ``queues`` queues, as terms.

    The initial state and the answers are any that the scenario allows.
    """

    scenario: Scenario
    encoding: TransitionEncoding
    v: SimpleNamespace
    """The terms for the unknowns, by name (``Scenario.names``); the mode of use may be fixed."""
    queues: int

    @cached_property
    def table(self) -> Table:
        """Return the states and effects of the queues through all rebalances, in the client's order."""
        return self.table_of(self.encoding)

    def table_of(self, encoding: TransitionEncoding) -> Table:
        """Return the same as ``table``, but by another client's encoding."""
        return self.scenario.table(encoding, self.v, self.queues)


# Mutants of a rebalance's terms, each wrong in only one part (``proofs.mutation.slips``).


@cache
def slips(encoding: TransitionEncoding) -> tuple[Mutant, ...]:
    """Return the mutants of a client's terms, each wrong in one part."""

    def throws(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = encoding.step(entry, asked, thrown)
        return replace(step, adding_throws=smt.Or(step.adding_throws, step.entered))

    def throws_removing(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        step = encoding.step(entry, asked, thrown)
        return replace(step, removing_throws=smt.Or(step.removing_throws, step.out))

    return as_mutants(
        ("adding-throws", "Adding a process queue always throws.", replace(encoding, step=throws)),
        ("removing-throws", "Removing a process queue always throws.", replace(encoding, step=throws_removing)),
    )
