"""Claims and proofs made from the page of a machine (``model.machine.page``)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.page import Holds, Lemma, Page, Property
from rebalance_proofs.model.machine.values import term, truth
from rebalance_proofs.model.terms.finite import NO
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

    def asked(claim: Claim) -> Property[Any, Any]:
        return page(name).properties[claim.subjects[0].name][claim.guarantee.name]

    fits = search.fits

    return Configuration(
        of.machine,
        lambda claim: asked(claim).bad,
        of.examples,
        search.ticks,
        end=search.end,
        limit=search.limit,
        gives_up=search.gives_up,
        numbers=search.numbers,
        most=search.most,
        ends=search.ends,
        follows=search.follows,
        around=search.around,
        fits=(lambda claim: fits(Holds(claim.world, claim.holds))) if fits else None,
        aside=lambda claim: asked(claim).aside,
        bounds=lambda claim: asked(claim).bounds,
    )


def _claims(of: Page[Any, Any, Any, Any], client: Any) -> Iterator[Claim]:
    for name, found in of.properties[client.name].items():
        if not found.claims:
            continue
        usual, plain = _guarantee(of, client, name, found), True
        for asked in found.claims:
            own = replace(found, invariant=asked.invariant) if asked.invariant else None
            guarantee = _guarantee(of, client, name, own) if own else usual
            named = "" if plain else asked.world.name  # A dropped assumption names the claim itself.
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
    violation = _violation(found, found.observed or bad)
    if not found.invariant:
        return Guarantee(*said, always(), violated(bad), violation, **words)

    # Closures do not refer to the page: a report lists the files of all that they refer to.
    settings, lemmas = configuration(of.name), found.lemmas

    def more(proof: Induction[Any, Any, Any, Any]) -> Sequence[Obligation]:
        return [_step(settings, one, proof.well) for one in lemmas]

    words |= {"more": more, "open": found.open}
    concluded = (found.concluded, found.sentence) if isinstance(found.concluded, str) else found.concluded
    return proved_by_induction(settings, client, *said, found.invariant, bad, violation, concluded, **words)


def _violation(found: Property[Any, Any], wrong: Predicate[Any, Any]) -> Callable[[Any], str | None]:
    broken = found.broken

    def violation(run: Any) -> str | None:
        if not truth(wrong(run.end, run.limits)):
            return None
        return broken if isinstance(broken, str) else broken(run)

    return violation


def _exists(of: Page[Any, Any, Any, Any], client: Any, name: str, found: Property[Any, Any]) -> list[Obligation]:
    """Return the obligations of a guarantee that certain runs exist; it has no bad states."""
    settings, world, shown = configuration(of.name), found.claims[0].world, found.attained
    if shown is None:
        if not found.lemmas:
            raise ValueError(f"{of.name}.{name} has neither bad states nor runs that it attains")

        def known(v: SimpleNamespace) -> dict[str, Any]:
            asked = world.given(settings.given(v)[2])
            return settings.truths(v) | {words: term(so) for words, so in asked.items()}

        return [_step(settings, one, known) for one in found.lemmas]
    happens, ways = settings.happens, shown.ways

    def timed(limits: Any) -> Iterator[Timed]:
        for way in ways(limits):
            yield [(happens(move) if isinstance(move, str) else happens(*move), at) for move, at in way]

    return [reaches(settings, client, world, shown.name or name, shown.sentence, timed, shown.so, shown.given)]


def _step(
    settings: Configuration[Any, Any, Any, Any], lemma: Lemma, well: Callable[[SimpleNamespace], dict[str, Any]]
) -> Obligation:
    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        given, then = lemma.state(encoding, *settings.given(v), *(getattr(v, name) for name in lemma.more))
        return Statement(well(v) | {words: term(so) for words, so in given.items()}, term(then))

    return about(settings, lemma.name, lemma.sentence, state, *lemma.more)
