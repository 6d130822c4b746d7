"""Trials of a rule: random instances that it has to accept, and changed ones that it may only accept if they follow."""

from collections.abc import Iterator
from random import Random

from rebalance_proofs.proofs.certificates.rules import Rule
from rebalance_proofs.proofs.certificates.terms import Refused, Term, Terms
from tests.proofs.certificates.instances import Instance, Make
from tests.proofs.certificates.random_terms import altered, new_terms, some
from tests.proofs.certificates.small_models import follows


def changed(random: Random, terms: Terms, instance: Instance) -> Iterator[Instance]:
    """Yield instances that differ from a given one in one premise or argument."""
    given, args = instance
    more = some(random, terms, "Bool")
    yield [*given, more], args
    yield given, [*args, more]
    yield given[1:], args
    yield given, args[1:]
    yield given, [terms.make("@list", more), *args[1:]]
    for _ in range(6):
        parts = [*given, *args]
        if parts:
            place = random.randrange(len(parts))
            parts[place] = altered(random, terms, parts[place])
            yield parts[: len(given)], parts[len(given) :]


def unsound(rule: Rule, make: Make, seed: str, rounds: int) -> tuple[list[str], int, int]:
    """Return conclusions that do not follow, and the numbers of accepted instances and of refused changed ones."""
    random, terms = Random(seed), new_terms()
    wrong: list[str] = []
    accepted = refused = 0
    for _ in range(rounds):
        instance = make(random, terms)
        wrong += _wrong(terms, instance[0], rule(terms, *instance))
        accepted += 1
        for given, args in changed(random, terms, instance):
            try:
                wrong += _wrong(terms, given, rule(terms, given, args))
            except Refused:
                refused += (given, args) != instance
    return wrong, accepted, refused


def _wrong(terms: Terms, given: list[Term], conclusion: Term) -> list[str]:
    if conclusion.sort != "Bool":
        raise Refused("the checker refuses a conclusion that is no formula")
    return [] if follows(given, conclusion) else [f"{given} |- {conclusion}"]
