"""Claims and proofs made from the page of a machine (``model.machine.page``)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.conjunct import Conjunct, Predicate
from rebalance_proofs.model.machine.page import (
    Attained,
    Fact,
    Holds,
    Joint,
    Lemma,
    Move,
    Page,
    Proof,
    Property,
    Rely,
    Search,
    Way,
)
from rebalance_proofs.model.machine.record import flags, names
from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.machine.values import term, truth
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.kinds import Kind, imported
from rebalance_proofs.proofs.machine.configuration import Configuration, part, read
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import LookingAtMachine, ProvedByInduction, stated, timed_runs, violated
from rebalance_proofs.proofs.machine.rely import claims_of_pairs
from rebalance_proofs.proofs.machine.rely import rely as relies
from rebalance_proofs.proofs.machine.run import Timed, observed, reaches
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values, truths
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.timed_search import mistaken_in

Inductive = Induction[Any, Any, Any, Any]
PAGES = "rebalance_proofs.model.machines"
NOTHING: Property[Any, Any] = Property("", "", ())
"""Stands for the property of a claim about two clients, of which no run is searched for."""


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

    check = mistaken_in(lambda claim: timed_runs(configured(name, claim)))
    return Kind(claims, looking, lambda client: observed(of_client(name, client), client), check, wrong)


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
    of, fits, ends = page(name), search.fits, search.end_of

    def asked(claim: Claim) -> Property[Any, Any]:
        known = page(name).properties[claim.subjects[0].name].values()
        return next((one for one in known if one.sentence == claim.guarantee.sentence), NOTHING)

    def bad(claim: Claim) -> Predicate[Any, Any] | None:
        found = asked(claim)
        return found.bad if found.sought else None

    def beside(claim: Claim) -> Mapping[str, Predicate[Any, Any]]:
        assert search.beside
        known = page(name).properties[claim.subjects[0].name]
        return {one: bad for one in search.beside(claim.world) if (bad := known[one].bad)}

    # Closures do not refer to the page: a report lists the files of all that they refer to.
    return Configuration(
        machine,
        bad,
        of.examples or search.ticks,
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
        aside=lambda claim: (*search.aside, *asked(claim).aside),
        apart=search.apart,
        copies=search.copies,
        every=lambda claim: asked(claim).every,
        bounds=lambda claim: asked(claim).bounds,
        hopeless=lambda claim: asked(claim).hopeless,
        beside=beside if search.beside else None,
        tried=lambda claim, moves: search.tried(claim.guarantee.name, claim.world, moves),
        unseen=lambda claim: search.unseen(claim.world),
        best=lambda claim: search.best(claim.world),
        fits=(lambda claim: fits(claim.subjects[0], Holds(claim.world, claim.holds))) if fits else None,
    )


def _claims(of: Page[Any, Any, Any, Any], client: Any) -> Iterator[Claim]:
    for name, found in of.properties[client.name].items():
        plain = True
        for asked in found.claims:
            about = guarantee(of.name, client, name)
            # A dropped assumption names the claim itself.
            named = "" if plain and not asked.named else asked.world.name
            plain = plain and asked.world.dropped
            claim = stated(
                client,
                about,
                asked.world,
                asked.scope or of.scopes[0 if asked.holds else 1],
                holds=asked.holds,
                more=asked.more,
                variant=named if asked.variant is None else asked.variant,
                assuming=asked.assuming,
                defining=asked.defining,
            )
            lemmas = _facts(of.name) if asked.holds else ()
            yield replace(claim, source=asked.source or claim.source, notices=asked.notices, lemmas=lemmas)


@cache
def guarantee(page_name: str, client: Any, name: str) -> Guarantee:
    """Return the guarantee of a client that a page declares under this name."""
    of = page(page_name)
    found = of.properties[client.name][name]
    said, words = _said(name, found)
    if found.relied_on:
        return Guarantee(*said, always(relied_on(page_name, client)), _unsought, _unseen, **words)
    if found.bad is None:
        return Guarantee(*said, _exists(of, client, said[0], found), _unsought, _unseen, **words)
    if found.invariant or found.proof:
        proved = induced(page_name, client, name)
        return proved if found.sought else Guarantee(*said, proved.obligations, _unsought, _unseen, **words)
    violation = _violation(found, found.bad)
    return Guarantee(*said, always(), violated(found.bad, every=found.every), violation, **words)


def _said(name: str, found: Property[Any, Any]) -> tuple[tuple[str, str, str], dict[str, Any]]:
    words = {"brief": found.brief, "assumes": found.assumes, "where": found.where, "covers": found.covers}
    return (found.name or name, found.sentence, found.source), words


def _unsought(found: Any) -> smt.BoolTerm:
    return NO


def _unseen(run: Any) -> str | None:
    return None


@cache
def induced(page_name: str, client: Any, name: str) -> ProvedByInduction:
    """Return the guarantee of this name, which is proved by an invariant, with its induction."""
    of = page(page_name)
    found = of.properties[client.name][name]
    said, words = _said(name, found)
    if found.bad is None:
        raise ValueError(f"{page_name}.{name} has no bad states")
    wrong, violation = violated(found.bad, every=found.every), _violation(found, found.bad)
    # Closures do not refer to the page: a report lists the files of all that they refer to.
    lemmas, shares, free = found.lemmas, found.shares, found.open
    rely, search, machine = of.rely, of.search, client.machine
    how = found.proof or _plain(said[0], found)

    def induction(world: Any) -> Inductive:
        proof = how(world)
        copies = _relying(rely, world, proof.invariant)
        settings = _configuration(page_name, machine, search(world) if callable(search) else search)
        asked, idle = proof.asked, proof.idle
        known = (settings, client, world, proof.invariant, proof.bad, proof.concluded)
        return Induction(*known, open=free, asked=asked, idle=idle, **copies)

    def made(own: Inductive) -> tuple[Obligation, ...]:
        proof, steps = how(own.world), list(own.obligations())
        if proof.by_actions:
            return tuple(one for one in steps if one.name in own.configuration.machine.actions)
        if rely and rely.world:  # the same obligation in all proofs, before the conclusion of each
            steps.insert(len(steps) - bool(own.conclusion), relied_on(page_name, client))
        elif rely:
            steps.append(relies(own, own.others, sentence=rely.sentence))
        more: Sequence[Obligation] = imported(proof.more)(own) if proof.more else ()
        return (*steps, *(_step(own.configuration, one, own.well, own.invariant) for one in lemmas), *more)

    @cache
    def obligations(world: Any) -> tuple[Obligation, ...]:
        own = made(induction(world))
        if shares is None or world == shares:
            return own
        known = {one.name: one for one in obligations(shares) if not world.touches(one.name, shares)}
        return tuple(known.get(one.name, one) for one in own)

    return ProvedByInduction(*said, obligations, wrong, violation, induction, made, **words)


def _plain(name: str, found: Property[Any, Any]) -> Callable[[Any], Proof[Any, Any]]:
    """Return the proof of the guarantee of this name by its invariant, under some assumptions."""
    bad, conjuncts, concluded = found.bad, found.conjuncts, None
    if found.concluded is not None:
        concluded = found.concluded or name, found.conclusion or found.sentence
    return lambda world: Proof(conjuncts(world), bad, concluded)


def _relying(rely: Rely[Any, Any] | None, world: Any, invariant: Sequence[Conjunct[Any, Any]]) -> dict[str, Any]:
    """Return what an induction assumes about other copies; nothing if the machine has one copy."""
    return {"begins": rely.begins(world, invariant), "others": rely.others(world, invariant)} if rely else {}


def joint(of: Page[Any, Any, Any, Any], client: Any, proof: Joint) -> Inductive:
    """Return one proof of the invariants of several guarantees, with each conjunct once."""
    known, world = of.properties[client.name], proof.world
    parts = (part for one in proof.guarantees for part in known[one].conjuncts(world))
    invariant = tuple({(part.name, part.sentence): part for part in parts}.values())
    copies = _relying(of.rely, world, invariant)
    return Induction(_configured(of, client, world), client, world, invariant, None, **copies)


@cache
def relied_on(name: str, client: Any) -> Obligation:
    """Return the obligation that the client does to the shared fields only what others of its group rely on.

    Raises ``ValueError`` if it is not proved once for all proofs.
    """
    rely = page(name).rely
    if rely is None or rely.world is None:
        raise ValueError(f"{name}: no assumptions under which consumers are proved to do what others rely on")
    own = Induction(configuration(name), client, rely.world, (), None, **_relying(rely, rely.world, ()))
    return relies(own, own.others, sentence=rely.sentence)


@cache
def _facts(name: str) -> tuple[Obligation, ...]:
    of = page(name)
    return tuple(_fact(of, one) for one in of.facts)


def _fact(of: Page[Any, Any, Any, Any], fact: Fact) -> Obligation:
    assert of.machine
    limits, unknowns = of.machine.limits, fact.unknowns

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        given, then = fact.state(encoding, read(unknowns, v), read(limits, v))
        known = truth_values(v, *(name for name in names(unknowns) if name in flags(unknowns)))
        return Statement(known | {words: term(so) for words, so in given.items()}, term(then))

    def goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, smt.BoolTerm]]:
        return ((f"{name} beyond the bound", getattr(v, name) >= bound) for name in fact.large)

    return Obligation(fact.name, fact.sentence, (*names(unknowns), *names(limits)), state, goals=goals)


def _violation(found: Property[Any, Any], bad: Predicate[Any, Any]) -> Callable[[Any], str | None]:
    broken, wrong, violated = found.broken, found.observed or bad, found.violated
    join = all if found.every else any

    def violation(run: Any) -> str | None:
        if not (violated(run) if violated else join(truth(wrong(end, run.limits)) for end in run.ends)):
            return None
        return broken if isinstance(broken, str) else broken(run)

    return violation


def _exists(
    of: Page[Any, Any, Any, Any], client: Any, name: str, found: Property[Any, Any]
) -> Callable[[Any], tuple[Obligation, ...]]:
    """Return the obligations of a guarantee that certain runs exist; it has no bad states."""
    settings, attained = configuration(of.name), found.attained
    if attained is None and not found.lemmas:
        raise ValueError(f"{of.name}.{name} has neither bad states nor runs that it attains")
    happens, asked = settings.happens, found.lemmas

    def timed(ways: Iterable[Way]) -> Iterator[Timed]:
        for way in ways:
            yield [(_move(happens, move), at) for move, at in way]

    def runs_exist(world: Any, shown: Attained[Any, Any]) -> Obligation:
        return reaches(
            settings,
            client,
            world,
            shown.name or name,
            shown.sentence,
            lambda limits: timed(shown.ways(limits)),
            shown.so,
            shown.given,
            every=shown.every,
        )

    @cache
    def obligations(world: Any) -> tuple[Obligation, ...]:
        def known(v: SimpleNamespace) -> dict[str, Any]:
            given = world.given(settings.given(v)[2])
            return settings.truths(v) | {words: term(so) for words, so in given.items()}

        every = attained(world) if callable(attained) else (attained,) if attained else ()
        lemmas = [_step(settings, one, known) for one in asked]
        return (*(runs_exist(world, shown) for shown in every), *lemmas)

    return obligations


def _move(happens: Callable[..., Happens], move: Move | Happens) -> Happens:
    if isinstance(move, Happens):
        return move
    return happens(move) if isinstance(move, str) else happens(*move)


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
