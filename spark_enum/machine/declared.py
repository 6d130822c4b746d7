"""Comparisons of code and terms made from the page of a machine (``model.machine.page``)."""

from functools import cache, partial
from typing import Any

from rebalance_proofs.model.machine.page import Compared
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.declared import configured, of_client, page
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.timed_search import TimedRuns
from rebalance_proofs.spark_enum.actions import compared
from rebalance_proofs.spark_enum.jobs import explored_against
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.machine.steps import Space, Steps, by_name


@cache
def steps(name: str, client: str = "") -> type[Steps]:
    """Return the comparison of code and terms for a page's client; the first one if no name is given."""
    of = page(name)
    known = by_name(of.clients)
    one = known(client) if client else of.clients[0]
    found = of.comparing(one)

    # Executors make the class again from the page's name.
    def reduce(one: Steps) -> tuple[Any, ...]:
        return _again, (name, client, one.client, one.every)

    space = _space(found, of_client(name, one))
    own = {"kind": found.kind, "title": found.title, "space": space, "known": staticmethod(known)}
    return type(f"{name.title()}Steps", (Steps,), {**own, "__reduce__": reduce, "__module__": __name__})


@cache
def _space(found: Compared[Any], settings: Configuration[Any, Any, Any, Any]) -> Space[Any, Any, Any, Any]:
    return Space(
        settings,
        found.limits,
        found.parts,
        choices=found.choices,
        now=found.now,
        besides=found.besides,
        numbers=found.numbers,
        tries=found.tries,
    )


def _again(name: str, client: str, compared: str, every: int) -> Steps:
    return steps(name, client)(compared, every)


def comparison(name: str, client: str, every: int) -> Steps:
    """Return the comparison for a client of a page, in one of ``every`` states."""
    return steps(name, client)(client, every)


@cache
def kind(name: str) -> Kind:
    """Return the enumeration for the kind of claims of a page."""
    of = page(name)

    def runs(claim: Claim) -> TimedRuns:
        return timed_runs(configured(name, claim))

    def never(claim: Claim) -> str:
        if of.words.never:
            return of.words.never(claim.world)
        search = of.searching(claim.world)
        length = f"{configured(name, claim).last(claim)} ticks" if search.end else search.length
        return f"{of.words.reaches_not} a violation in {length}"

    against = explored_against(
        of.comparing(of.clients[0]).kind,
        lambda claim: runs(claim).explored(claim.subjects[0].encoding, claim),
        of.words.comes or f"{of.words.reaches} a violation",
        never,
        lambda claim: configured(name, claim).bad(claim) is not None,
    )
    return Kind(lambda claims, bounds: 1, compared(partial(comparison, name)), against)
