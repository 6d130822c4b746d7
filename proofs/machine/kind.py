"""Searches, guarantees and claims made from the configuration of a machine."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.machine import ENVIRONMENT
from rebalance_proofs.model.machine.record import L, S
from rebalance_proofs.model.machine.run import Happens, Schedule, x_first
from rebalance_proofs.model.machine.values import And, Or, term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.values import Mutant, folded
from rebalance_proofs.proofs.breadth_first import Keys, Rows, breadth_first, picked
from rebalance_proofs.proofs.claim import Claim, ending, without
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.limit import earliest
from rebalance_proofs.proofs.machine.compiled import AnyConfiguration, Fitted, kernel, never, relevant
from rebalance_proofs.proofs.machine.configuration import OBSERVES, Configuration
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.run import run, unrolled
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.timed_search import LookingAtTimedRuns, TimedExploration, TimedRuns, Unended, Unrolling

# Shortest counterexamples, by breadth-first search over all states of a machine.
# Times are in ticks, and terms are compiled.


@cache
def explored(configuration: AnyConfiguration, encoding: Any, claim: Claim) -> Schedule | None:
    """Return a shortest schedule that breaks the claim, in ticks; None if there is none.

    Raises ``Unended`` if the search needs more than ``limit`` actions, unless the configuration has ``gives_up``.
    """
    bad = configuration.bad(claim)
    if bad is None:
        return None
    if configuration.beside:
        beside = configuration.beside(claim) if encoding is claim.subjects[0].encoding else {}
        search = Search(claim.subjects[0], claim.world, tuple({**beside, claim.guarantee.name: bad}.items()), claim)
        return searched(configuration, encoding, search).get(claim.guarantee.name)
    # An observer acts after the last action. Without an observer, the last action is found together with the level
    # before it.
    limit = configuration.limit - (not configuration.looks)
    try:
        found = _Exploration(configuration, encoding, claim).shortest(limit)
    except Unended as error:
        if configuration.gives_up:
            return None
        raise Unended(f"the search has not ended after {configuration.limit} actions") from error
    if found is None:
        return None
    return x_first(found) if configuration.copies > 1 else tuple(reversed(found))


@dataclass(frozen=True)
class Search:
    """One search for several claims about one client under the same assumptions."""

    client: Any
    world: Any
    bad: tuple[tuple[str, Predicate[Any, Any]], ...]
    claim: Claim = field(compare=False)
    """One of the claims that the search is for; it determines the settings."""


@cache
def searched(configuration: AnyConfiguration, encoding: Any, search: Search) -> Mapping[str, Schedule]:
    """Return, for each guarantee, a shortest schedule that breaks it.

    If schedules are rated, it is the best-rated one. Guarantees that no schedule within ``limit`` actions breaks are
    missing.
    """
    exploration = _Exploration(configuration, encoding, search.claim)
    bad = {name: kernel(configuration, one) for name, one in search.bad}
    best = configuration.best(search.claim)
    return breadth_first(exploration, exploration.packed, exploration.moves, bad, configuration.limit, best)


def together(configuration: AnyConfiguration, encoding: Any, claim: Claim, *blind: str) -> Together:
    """Return the transition system that explorations of the claim use, with all its copies.

    ``blind``: further fields that are left at their first values.
    """
    limits, unseen = configuration.of_claim(claim)[1], {*configuration.unseen(claim), *blind}
    variant, end = claim.subjects[0], configuration.last(claim)
    return Together(configuration, encoding, variant, claim.world, limits, configuration.copies, unseen, end)


def _ever(of: AnyConfiguration, world: MachineWorld[Any, Any, Any], move: Happens) -> bool:
    """Return whether the assumptions permit the action in some state."""
    state, _, limits = of.symbols
    return not never(term(world.lets(move.action, state, of.chosen(move, limits), limits)))


class _Exploration(TimedExploration):
    def __init__(self, configuration: AnyConfiguration, encoding: Any, claim: Claim) -> None:
        world, aside = claim.world.beside(encoding), {*configuration.aside(claim), *claim.world.excludes}
        actions, blind = frozenset(configuration.machine.actions) - aside, set[str]()
        if configuration.copies == 1:
            actions, fields = relevant(configuration, encoding, claim)
            blind = {*configuration.own} - fields
        moves = (move for move in configuration.moves if move.action in actions)
        own = [own for move in moves if _ever(configuration, world, move) for own in configuration.whose(move)]
        self.moves = configuration.tried(claim, own)
        first = {name: place for place, name in enumerate(configuration.ends)}
        self._endings = sorted(self.moves, key=lambda move: first.get(move.action, len(first)))
        self._together = together(configuration, encoding, claim, *blind)
        self._configuration = configuration
        bad, hopeless = configuration.bad(claim), configuration.hopeless(claim)
        assert bad is not None
        self._bad, self._every = kernel(configuration, bad), configuration.every(claim)
        self._hopeless = kernel(configuration, hopeless) if hopeless else None
        self._ahead: dict[Happens, tuple[Rows, Rows]] = {}
        """Successors of the states that ``ending`` examined last, by action.

        Empty if one of these states is bad.
        """

    def start(self) -> Rows:
        return self._together.start()

    def after(self, rows: Rows, happens: Happens) -> tuple[Rows, Rows]:
        after, origin = self._together.after(rows, happens)
        if self._hopeless:
            hopeful = ~self._together.so(self._hopeless, after, self._configuration.acting(happens))
            after, origin = picked(after, np.flatnonzero(hopeful)), origin[hopeful]
        return after, origin

    def waits(self, rows: Rows) -> Rows:
        return self._together.waits(rows)

    def later(self, rows: Rows) -> Rows:
        return self._together.later(rows)

    def packed(self, rows: Rows) -> Keys:
        return self._together.packed(rows)

    def ending(self, rows: Rows) -> tuple[int, Happens] | None:
        if self._configuration.looks:
            wrong = self._wrong(rows)
            return (int(wrong[0]), Happens(ENVIRONMENT, OBSERVES)) if len(wrong) else None
        self._ahead = {}
        for happens in self._endings:
            after, origin = self.after(rows, happens)
            wrong = self._wrong(after)
            if len(wrong):
                return int(origin[wrong[0]]), happens
            self._ahead[happens] = after, origin
        return None

    def _next(self, rows: Rows) -> Sequence[tuple[Rows, Rows]]:
        return [self._ahead[move] for move in self.moves] if self._ahead else super()._next(rows)

    def bad(self, rows: Rows, bad: Fitted) -> Rows:
        """Return, for each row (state), whether the predicate ``bad`` holds for one copy.

        It must hold for every copy if the claim requires that.
        """
        each = [self._together.so(bad, rows, who) for who in range(self._configuration.copies)]
        so: Rows = (np.logical_and if self._every else np.logical_or).reduce(each)
        return so

    def _wrong(self, rows: Rows) -> Rows:
        """Return the indexes of the rows (states) that violate the claim."""
        return np.flatnonzero(self.bad(rows, self._bad))


class LookingAtMachine(LookingAtTimedRuns):
    """Search for a counterexample of a claim about a machine.

    The exploration finds a shortest run, and the solvers find its times.
    """

    def __init__(self, runs: TimedRuns, claim: Claim, pool: Pool, wrong: Mutant | None = None) -> None:
        self.runs, self.around = runs, runs.around
        super().__init__(claim, pool, wrong)


@cache
def timed_runs(configuration: Configuration[Any, Any, Any, Any]) -> TimedRuns:
    """Return the functions that find and replay runs for the claims of a configuration."""

    def reached(encoding: Any, claim: Claim, schedule: Schedule, times: Sequence[smt.IntTerm]) -> Unrolling[Any, Any]:
        client, (limits, at) = claim.subjects[0], configuration.known(claim, schedule, times)
        found = unrolled(configuration, client, encoding, claim.world, limits, schedule, at)
        if configuration.clock:
            return found
        given = {words: term(so) for words, so in claim.world.given(limits).items()}
        return replace(found, constraints=given | found.constraints)

    around = configuration.around or (configuration.copies, 1)
    found = TimedRuns(around, partial(explored, configuration), reached, partial(run, configuration))
    if configuration.clock:
        return replace(found, settled=apart) if configuration.apart else found
    shown = list(vars(configuration.examples).values())
    return replace(found, unknowns=configuration.unknown, settled=lambda unknowns, constraints: shown)


@dataclass(frozen=True)
class ProvedByInduction(Guarantee):
    """A guarantee that is proved by an inductive invariant of a machine."""

    induction: Callable[[Any], Induction[Any, Any, Any, Any]]
    made: Callable[[Any], Sequence[Obligation]]
    """``made(induction)``: return all obligations of the proof."""


def violated(bad: Predicate[S, L], *, every: bool = False) -> Callable[[Unrolling[S, L]], smt.BoolTerm]:
    """Return the condition that a run ends in a bad state of some copy.

    ``every``: in bad states of all copies.
    """
    join = And if every else Or
    return lambda found: folded(term(join(*(bad(state, found.limits) for state in found.states))))


def apart(times: Sequence[smt.IntTerm], constraints: Iterable[smt.BoolTerm]) -> Sequence[int] | None:
    """Return the earliest times at which each action comes later than the one before.

    None if there are none.
    """
    return earliest(times, (*constraints, *(later > sooner for sooner, later in pairwise(times))))


def stated(
    client: Any,
    guarantee: Guarantee,
    world: Any,
    scope: str,
    *,
    holds: bool,
    more: str = "",
    variant: str = "",
    assuming: tuple[str, ...] = (),
    defining: tuple[str, ...] = (),
) -> Claim:
    """Return the claim that a guarantee holds or fails for a client; see ``Claim``.

    ``more``: words after the guarantee's sentence that depend on the client; words of ``world`` (the assumptions)
    follow. ``variant``: end of the id, unless a dropped assumption provides it. ``assuming``, ``defining``: see
    ``Claim``.
    """
    sentence = f"{guarantee.said(f'{client.rocketmq_name}: ', f'{more}{ending(world)}')}."
    variant = without(world) or variant
    obligations = guarantee.obligations(world) if holds else ()
    return Claim(
        world.kind,
        (client,),
        guarantee,
        world,
        holds,
        sentence,
        scope,
        guarantee.source,
        obligations,
        variant,
        assuming=assuming,
        defining=defining,
    )
