"""Shortest counterexamples, by breadth-first search over all states of a machine.

Times are in ticks, and terms are compiled.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.happens import Happens, Schedule, x_first
from rebalance_proofs.model.machine.machine import ENVIRONMENT
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.breadth_first import breadth_first
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.compiled import AnyConfiguration, Fitted, kernel
from rebalance_proofs.proofs.machine.configuration import OBSERVES
from rebalance_proofs.proofs.machine.relevant import relevant
from rebalance_proofs.proofs.machine.together import Together
from rebalance_proofs.proofs.rows import Keys, Rows, picked
from rebalance_proofs.proofs.timed_exploration import TimedExploration, Unended


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
    permitted = world.lets(move.action, state, of.chosen(move, limits), limits)
    return not smt.is_false(simplify(term(permitted)))


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

    def _next(self, rows: Rows) -> tuple[list[Rows], Rows]:
        return self._caused([self._ahead[move] for move in self.moves]) if self._ahead else super()._next(rows)

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
