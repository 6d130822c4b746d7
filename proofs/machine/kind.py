"""Make a kind of claims from the configuration of a machine.

It has the searches, the guarantees, and the object that registers the kind.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from typing import Any

from rebalance_proofs.model.machine.conjunct import Conjunct, Predicate
from rebalance_proofs.model.machine.happens import Schedule
from rebalance_proofs.model.machine.mutants import Wrong, WrongParts
from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Or, term
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.folded import folded
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.earliest import earliest
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.exploration import explored
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.run import observed, run
from rebalance_proofs.proofs.machine.unrolling import unrolled
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.scope_words import ending, without
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.timed_search import LookingAtTimedRuns, TimedRuns
from rebalance_proofs.proofs.unrolling import Unrolling


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


def proved_by_induction(
    configuration: Configuration[S, C, L, V],
    variant: V,
    name: str,
    sentence: str,
    source: str,
    invariant: Sequence[Conjunct[S, L]],
    bad: Predicate[S, L],
    violation: Callable[[Run[S, L]], str | None],
    conclusion: tuple[str, str] | None = None,
    *,
    open: bool = False,
    assumes: tuple[str, ...] = (),
    where: tuple[str, ...] = (),
    covers: tuple[str, ...] = (),
    brief: str = "",
    more: Callable[[Induction[S, C, L, V]], Sequence[Obligation]] = lambda induction: (),
) -> ProvedByInduction:
    """Return a guarantee that is proved by an inductive invariant that excludes ``bad`` states.

    ``open``: see ``Induction``. ``assumes``, ``where``, ``covers``, ``brief``: see ``Guarantee``. ``more``: further
    obligations that belong to the guarantee.
    """

    def induction(world: MachineWorld[S, C, L]) -> Induction[S, C, L, V]:
        return Induction(configuration, variant, world, invariant, bad, conclusion, open=open)

    def made(proof: Induction[S, C, L, V]) -> tuple[Obligation, ...]:
        return (*proof.obligations(), *more(proof))

    @cache
    def obligations(world: MachineWorld[S, C, L]) -> tuple[Obligation, ...]:
        return made(induction(world))

    return ProvedByInduction(
        name,
        sentence,
        source,
        obligations,
        violated(bad),
        violation,
        induction,
        made,
        assumes=assumes,
        where=where,
        covers=covers,
        brief=brief,
    )


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


def machine_kind(
    configuration: Configuration[S, C, L, V],
    claims: Callable[[], Sequence[Claim]],
    slips: Sequence[Wrong[S, C, L, V] | WrongParts[V]],
) -> Kind:
    """Return the object that registers the kind of claims (``proofs.kind.Kind``).

    ``slips``: mutants that the obligations must reject.
    """

    @cache
    def wrong(right: Any) -> tuple[Mutant, ...]:
        return tuple(slip.mutant(right) for slip in slips)

    looking = partial(LookingAtMachine, timed_runs(configuration))
    return Kind(claims, looking, partial(observed, configuration), wrong)
