"""Tables, stories and traces made from the page of a machine (``model.machine.page``)."""

from functools import cache
from typing import Any

from rebalance_proofs.proofs.machine.declared import configuration, page
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places, circumstances
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.shown import Shown


@cache
def kind(name: str) -> Shown:
    """Return how reports show the claims of a page."""
    of = page(name)
    words, found = of.words, [one for known in of.properties.values() for one in known.values()]
    rows = {asked.world.name: asked.world.row for one in found for asked in one.claims if not asked.world.dropped}
    family = Family(name, words.title, words.sentence, ("Claim", "When"), spelled_out=True, table=BY_CLIENT)
    return machine_shown(
        telling(name),
        Places(family, circumstances(rows)),
        lambda claim: words.about(claim.subjects[0]),
        none=f"{words.who} does not reach this in {of.search.length}",
        around=words.around,
        actions=Actions(of.compared.kind, words.called, words.counted, words.state, words.code),
    )


@cache
def telling(name: str) -> Telling[Any, Any, Any, Any]:
    """Return how reports show runs of a page's machine."""
    of = page(name)
    words = of.words
    return Telling(
        configuration(name), words.given, observes=words.observes, parties=words.parties, limits=words.limits
    )
