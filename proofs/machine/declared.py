"""Claims and proofs made from the page of a machine (``model.machine.page``)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.page import Attained, Holds, Lemma, Page, Property
from rebalance_proofs.model.machine.values import term, truth
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.kind import Kind
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import machine_kind, proved_by_induction, stated, violated
from rebalance_proofs.proofs.machine.unrolling import Timed, reaches
from rebalance_proofs.proofs.obligation import Obligation, Statement

PAGES = "rebalance_proofs.model.machines"


def page(name: str) -> Page[Any, Any, Any, Any]:
    """Return the page of the kind of claims with this name."""
    found: Page[Any, Any, Any, Any] = import_module(f"{PAGES}.{name}").PAGE
    return found


@cache
def kind(name: str) -> Kind:
    """Return the object that registers the kind of claims of a page."""
    of = page(name)

    @cache
    def claims() -> tuple[Claim, ...]:
        return tuple(claim for client in of.clients for claim in _claims(of, client))

    return machine_kind(configuration(of.name), claims, of.slips)


@cache
def configuration(name: str) -> Configuration[Any, Any, Any, Any]:
    """Return the settings for proofs and explorations of a page."""
    of = page(name)
    search = of.search
    fits, end_of = search.fits, search.end_of

    def limited(claim: Claim) -> tuple[Any, Any]:
        assert fits is not None
        return fits(claim.world, claim.holds)

    def part(what: str, otherwise: Any) -> Callable[[Claim], Any]:
        return lambda claim: getattr(_asked(name, claim), what, otherwise)

    return Configuration(
        of.machine,
        part("bad", None),
        of.examples,
        search.ticks,
        end=search.end,
        most=search.most,
        limit=search.limit,
        gives_up=search.gives_up,
        numbers=search.numbers,
        aside=part("aside", ()),
        ends=search.ends,
        follows=search.follows,
        around=search.around,
        joined=search.joined,
        fits=limited if fits else None,
        end_of=lambda claim: end_of(claim.holds),
        bounds=part("bounds", ()),
    )


def _asked(name: str, claim: Claim) -> Property[Any, Any] | None:
    """Return the property that a claim of a page is about."""
    return page(name).of(claim.subjects[0], claim.guarantee.name)


def _claims(of: Page[Any, Any, Any, Any], client: Any) -> Iterator[Claim]:
    for name, found in of.properties[client.name].items():
        guarantee, plain = _guarantee(of, client, name, found), True
        for asked in found.claims:
            named = "" if plain or asked.world.dropped else asked.world.name
            plain = plain and asked.world.dropped
            proved = guarantee if asked.invariant is None else _proved(of, client, name, found, asked.invariant)
            yield _claim(of, client, proved, asked, named)


def _claim(
    of: Page[Any, Any, Any, Any], client: Any, guarantee: Guarantee, asked: Holds[Any, Any], named: str
) -> Claim:
    scope = asked.scope or of.scopes[0 if asked.holds else 1]
    claim = stated(client, guarantee, asked.world, scope, holds=asked.holds, variant=named)
    return replace(claim, source=asked.source or claim.source, notices=asked.notices)


def _guarantee(of: Page[Any, Any, Any, Any], client: Any, name: str, found: Property[Any, Any]) -> Guarantee:
    if found.bad is None:
        return _exists(of, client, name, found)
    if not found.invariant:
        bad = found.bad
        return Guarantee(
            name, found.sentence, found.source, always(), violated(bad), _violation(found), **_words(found)
        )
    return _proved(of, client, name, found, found.invariant)


def _words(found: Property[Any, Any]) -> dict[str, Any]:
    return {"brief": found.brief, "assumes": found.assumes, "where": found.where, "covers": found.covers}


def _violation(found: Property[Any, Any]) -> Callable[[Any], str | None]:
    wrong, broken = found.observed or found.bad, found.broken

    def violation(run: Any) -> str | None:
        assert wrong is not None
        if not truth(wrong(run.end, run.limits)):
            return None
        return broken if isinstance(broken, str) else broken(run)

    return violation


def _proved(
    of: Page[Any, Any, Any, Any],
    client: Any,
    name: str,
    found: Property[Any, Any],
    invariant: Sequence[Conjunct[Any, Any]],
) -> Guarantee:
    assert found.bad is not None

    # Closures do not refer to the page: a report lists the files of all that they refer to.
    settings, lemmas = configuration(of.name), found.lemmas

    def more(proof: Induction[Any, Any, Any, Any]) -> Sequence[Obligation]:
        return [_step(settings, one, proof.well) for one in lemmas]

    return proved_by_induction(
        settings,
        client,
        name,
        found.sentence,
        found.source,
        invariant,
        found.bad,
        _violation(found),
        found.concluded,
        open=found.open,
        more=more,
        **_words(found),
    )


def _exists(of: Page[Any, Any, Any, Any], client: Any, name: str, found: Property[Any, Any]) -> Guarantee:
    """Return a guarantee that certain runs exist; it has no bad states."""
    world, settings = found.claims[0].world, configuration(of.name)
    steps = [_reached(settings, client, name, world, found.attained)] if found.attained else []

    def given(v: SimpleNamespace) -> dict[str, Any]:
        asked = world.given(settings.given(v)[2])
        return settings.truths(v) | {words: term(so) for words, so in asked.items()}

    steps += [_step(settings, one, given) for one in found.lemmas]
    return Guarantee(
        name, found.sentence, found.source, always(*steps), lambda run: NO, lambda run: None, **_words(found)
    )


def _reached(
    settings: Configuration[Any, Any, Any, Any], client: Any, name: str, world: Any, found: Attained[Any, Any]
) -> Obligation:
    happens = settings.happens

    def timed(limits: Any) -> Iterator[Timed]:
        for way in found.ways(limits):
            yield [(happens(move) if isinstance(move, str) else happens(*move), at) for move, at in way]

    return reaches(settings, client, world, found.name or name, found.sentence, timed, found.so, found.given)


def _step(
    settings: Configuration[Any, Any, Any, Any], lemma: Lemma, base: Callable[[SimpleNamespace], dict[str, Any]]
) -> Obligation:
    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        given, then = lemma.state(encoding, *settings.given(v), v)
        return Statement(base(v) | {words: term(so) for words, so in given.items()}, term(then))

    return about(settings, lemma.name, lemma.sentence, state, *lemma.unknowns)
