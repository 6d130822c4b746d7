"""Claims and proofs made from the page of a machine (``model.machine.page``)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.conjunct import Conjunct, Predicate
from rebalance_proofs.model.machine.page import Holds, Joint, Lemma, Page, Property, Rely, Search
from rebalance_proofs.model.machine.record import flags
from rebalance_proofs.model.machine.values import term, truth
from rebalance_proofs.model.terms.finite import NO
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.machine.configuration import Configuration, part
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import LookingAtMachine, ProvedByInduction, stated, timed_runs, violated
from rebalance_proofs.proofs.machine.mixed import claims_of_pairs
from rebalance_proofs.proofs.machine.rely import rely as relies
from rebalance_proofs.proofs.machine.run import observed
from rebalance_proofs.proofs.machine.unrolling import Timed, reaches
from rebalance_proofs.proofs.obligation import Obligation, Statement, truths
from rebalance_proofs.proofs.solvers.pool import Pool

Proof = Induction[Any, Any, Any, Any]
PAGES = "rebalance_proofs.model.machines"


def page(name: str) -> Page[Any, Any, Any, Any]:
    """Return the page of the kind of claims with this name: a module, or the module ``claims`` of a package."""
    found = import_module(f"{PAGES}.{name}")
    if hasattr(found, "__path__"):
        found = import_module(f"{PAGES}.{name}.claims")
    of: Page[Any, Any, Any, Any] = found.PAGE
    return of


@cache
def kind(name: str) -> Kind:
    """Return the object that registers the kind of claims of a page."""
    of = page(name)

    @cache
    def claims() -> tuple[Claim, ...]:
        found = tuple(claim for client in of.clients for claim in _claims(of, client))
        return (*found, *(claims_of_pairs(of, of.mixed, partial(joint, of)) if of.mixed else ()))

    @cache
    def wrong(right: Any) -> tuple[Mutant, ...]:
        return tuple(slip.mutant(right) for slip in of.slips)

    def looking(claim: Claim, pool: Pool, wrong: Mutant | None = None) -> LookingAtMachine:
        return LookingAtMachine(timed_runs(configured(name, claim)), claim, pool, wrong)

    return Kind(claims, looking, lambda client: observed(of_client(name, client), client), wrong)


@cache
def configuration(name: str) -> Configuration[Any, Any, Any, Any]:
    """Return the settings for proofs and explorations of a page with one machine and one kind of search."""
    of = page(name)
    return _configuration(name, of.machine, of.searching(None))


def configured(name: str, claim: Claim) -> Configuration[Any, Any, Any, Any]:
    """Return the settings for the proof or the explorations of a page's claim."""
    return _configured(page(name), claim.subjects[0], claim.world)


def of_client(name: str, client: Any) -> Configuration[Any, Any, Any, Any]:
    """Return settings with a client's machine, for all that does not depend on the claim."""
    of = page(name)
    first = next(one for found in of.properties[client.name].values() for one in found.claims)
    return _configured(of, client, first.world)


def _configured(of: Page[Any, Any, Any, Any], client: Any, world: Any) -> Configuration[Any, Any, Any, Any]:
    return _configuration(of.name, client.machine, of.searching(world))


@cache
def _configuration(name: str, machine: Any, search: Search[Any]) -> Configuration[Any, Any, Any, Any]:
    def asked(claim: Claim) -> Property[Any, Any]:
        return page(name).properties[claim.subjects[0].name][claim.guarantee.name]

    def beside(claim: Claim) -> Mapping[str, Predicate[Any, Any]]:
        assert search.beside
        known = page(name).properties[claim.subjects[0].name]
        return {one: bad for one in search.beside(claim.world) if (bad := known[one].bad)}

    more: dict[str, Any] = {}
    if tried := search.tried:
        more["tried"] = lambda claim, moves: tried(claim.world, moves)
    if unseen := search.unseen:
        more["unseen"] = lambda claim: unseen(claim.world)
    if best := search.best:
        more["best"] = lambda claim: best(claim.world)
    fits, ends = search.fits, search.end_of
    return Configuration(
        machine,
        lambda claim: asked(claim).bad,
        page(name).examples or search.ticks,
        search.ticks,
        end=search.end,
        most=search.most,
        limit=search.limit,
        gives_up=search.gives_up,
        numbers=search.numbers,
        end_of=lambda claim: ends(Holds(claim.world, claim.holds)),
        joined=search.joined,
        ends=search.ends,
        follows=search.follows,
        around=search.around,
        fits=(lambda claim: fits(Holds(claim.world, claim.holds))) if fits else None,
        aside=lambda claim: (*search.aside, *asked(claim).aside),
        copies=search.copies,
        bounds=lambda claim: asked(claim).bounds,
        beside=beside if search.beside else None,
        **more,
    )


def _claims(of: Page[Any, Any, Any, Any], client: Any) -> Iterator[Claim]:
    for name, found in of.properties[client.name].items():
        if not found.claims:
            continue
        usual, plain = _guarantee(of, client, name, found), True
        for asked in found.claims:
            own = replace(found, invariant=asked.invariant) if asked.invariant else None
            guarantee = _guarantee(of, client, name, own) if own else usual
            # A dropped assumption names the claim itself.
            named = "" if plain and not asked.named else asked.world.name
            plain = plain and asked.world.dropped
            scope = asked.scope or of.scopes[0 if asked.holds else 1]
            claim = stated(client, guarantee, asked.world, scope, holds=asked.holds, variant=named)
            yield replace(claim, source=asked.source or claim.source, notices=asked.notices)


def _guarantee(of: Page[Any, Any, Any, Any], client: Any, name: str, found: Property[Any, Any]) -> Guarantee:
    words: dict[str, Any] = {
        "brief": found.brief,
        "assumes": found.assumes,
        "where": found.where,
        "covers": found.covers,
    }
    said, bad = (name, found.sentence, found.source), found.bad
    if bad is None:
        shown = _exists(of, client, name, found)
        return Guarantee(*said, always(*shown), lambda run: NO, lambda run: None, **words)
    violation = _violation(found, bad)
    if not found.invariant:
        return Guarantee(*said, always(), violated(bad), violation, **words)

    # Closures do not refer to the page: a report lists the files of all that they refer to.
    named, search, rely, lemmas, conjuncts = of.name, of.search, of.rely, found.lemmas, found.conjuncts
    concluded = found.concluded or None
    if isinstance(concluded, str | bool):
        concluded = (name if concluded is True else str(concluded), found.sentence)
    free = found.open

    @cache
    def induction(world: Any) -> Proof:
        settings = _configuration(named, client.machine, search(world) if callable(search) else search)
        return _induction(settings, rely, client, world, conjuncts(world), bad, concluded, open=free)

    def made(proof: Proof) -> tuple[Obligation, ...]:
        others = (relies(proof, proof.others, sentence=rely.sentence),) if rely else ()
        return (
            *proof.obligations(),
            *others,
            *(_step(proof.configuration, one, proof.well, proof.invariant) for one in lemmas),
        )

    @cache
    def obligations(world: Any) -> tuple[Obligation, ...]:
        return made(induction(world))

    return ProvedByInduction(*said, obligations, violated(bad), violation, induction, made, **words)


def _induction(
    settings: Configuration[Any, Any, Any, Any],
    rely: Rely[Any, Any] | None,
    client: Any,
    world: Any,
    invariant: Sequence[Conjunct[Any, Any]],
    bad: Predicate[Any, Any] | None = None,
    concluded: tuple[str, str] | None = None,
    *,
    open: bool = False,
) -> Proof:
    others: dict[str, Any] = {}
    if rely:
        others = {"begins": rely.begins(world, invariant), "others": rely.others(world, invariant)}
    return Induction(settings, client, world, invariant, bad, concluded, open=open, **others)


def joint(of: Page[Any, Any, Any, Any], client: Any, proof: Joint) -> Proof:
    """Return one proof of the invariants of several guarantees, with each conjunct once."""
    known = of.properties[client.name]
    parts = (part for one in proof.guarantees for part in known[one].conjuncts(proof.world))
    invariant = tuple({(part.name, part.sentence): part for part in parts}.values())
    return _induction(_configured(of, client, proof.world), of.rely, client, proof.world, invariant)


def _violation(found: Property[Any, Any], bad: Predicate[Any, Any]) -> Callable[[Any], str | None]:
    broken, wrong, violated = found.broken, found.observed or bad, found.violated

    def violation(run: Any) -> str | None:
        if not (violated(run) if violated else any(truth(wrong(end, run.limits)) for end in run.ends)):
            return None
        return broken if isinstance(broken, str) else broken(run)

    return violation


def _exists(of: Page[Any, Any, Any, Any], client: Any, name: str, found: Property[Any, Any]) -> list[Obligation]:
    """Return the obligations of a guarantee that certain runs exist; it has no bad states."""
    settings, world, shown = configuration(of.name), found.claims[0].world, found.attained
    if shown is None and not found.lemmas:
        raise ValueError(f"{of.name}.{name} has neither bad states nor runs that it attains")

    def known(v: SimpleNamespace) -> dict[str, Any]:
        asked = world.given(settings.given(v)[2])
        return settings.truths(v) | {words: term(so) for words, so in asked.items()}

    lemmas = [_step(settings, one, known) for one in found.lemmas]
    if shown is None:
        return lemmas
    happens, ways = settings.happens, shown.ways

    def timed(limits: Any) -> Iterator[Timed]:
        for way in ways(limits):
            yield [(happens(move) if isinstance(move, str) else happens(*move), at) for move, at in way]

    return [reaches(settings, client, world, shown.name or name, shown.sentence, timed, shown.so, shown.given), *lemmas]


def _step(
    settings: Configuration[Any, Any, Any, Any],
    lemma: Lemma,
    well: Callable[[SimpleNamespace], dict[str, Any]],
    invariant: Sequence[Conjunct[Any, Any]] = (),
) -> Obligation:
    others = tuple(map(_other, settings.own)) if lemma.other else ()

    def second(v: SimpleNamespace, state: Any, limits: Any) -> tuple[Any, dict[str, Any]]:
        """Return the second state, and the assumptions about it."""
        kind = settings.machine.state
        other = state.but(**part(kind, v, settings.own, _other))
        its = {f"{lemma.other.capitalize()}: {one.sentence}": term(one.holds(other, limits)) for one in invariant}
        told = truths(v, [_other(name) for name in settings.own if name in flags(kind)])
        return other, its | {f"{lemma.other} {words}": so for words, so in told.items()}

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        before, choices, limits = settings.given(v)
        known, more = well(v), [getattr(v, name) for name in lemma.more]
        if lemma.other:
            other, its = second(v, before, limits)
            known, more = known | its, [*more, other]
        given, then = lemma.state(encoding, before, choices, limits, *more)
        return Statement(known | {words: term(so) for words, so in given.items()}, term(then))

    return about(settings, lemma.name, lemma.sentence, state, *lemma.more, *others)


def _other(name: str) -> str:
    """Return the name of the unknown for a field of a lemma's second state."""
    return f"other_{name}"
