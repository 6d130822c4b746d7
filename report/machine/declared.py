"""Tables, stories and traces made from the page of a machine (``model.machine.page``)."""

from functools import cache, partial
from typing import Any

from rebalance_proofs.proofs.machine.declared import configured, of_client, page
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places, circumstances
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.answers import AnswersTelling
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.shown import Shown


def kind(name: str, **more: Any) -> Shown:
    """Return how reports show the claims of a page; ``more``: see ``report.shown.Shown``."""
    of = page(name)
    words, found = of.words, [one for known in of.properties.values() for one in known.values()]
    worlds = [asked.world for one in found for asked in one.claims if not asked.world.dropped]
    if of.mixed:
        worlds.append(of.mixed.world(of.clients[0]))
    rows = {world.name: world.row for world in worlds}
    table, told = words.table or BY_CLIENT, telling(name)
    family = Family(name, words.title, words.sentence, ("Claim", "When"), spelled_out=True, table=table)
    return machine_shown(
        told,
        Places(family, circumstances(rows)),
        lambda claim: words.about(claim.subjects[0]),
        none=words.none or f"{words.reaches_not} this in {of.searching(worlds[0]).length}",
        around=words.around,
        actions=Actions(of.comparing(of.clients[0]).kind, words.called, words.counted, words.state, words.code),
        **({"figure": told.drawn} if isinstance(told, AnswersTelling) else {}),
        **more,
    )


@cache
def telling(name: str) -> Telling[Any, Any, Any, Any]:
    """Return how reports show runs of a page's machine."""
    of = page(name)
    words = of.words
    of_run: dict[str, Any] = {
        "observes": words.observes,
        "parties": words.parties,
        "limits": words.limits,
        "noted": words.noted,
        "by_claim": partial(configured, name),
    }
    settings = of_client(name, of.clients[0])
    if words.answer:
        return AnswersTelling(settings, words.given, answer=words.answer, **of_run)
    return Telling(settings, words.given, **of_run)
