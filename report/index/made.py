"""Generate the index of claims from the ledger, the list of all claims."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.claims.seen import seen, seen_of
from rebalance_proofs.report.concerns import shipped, stands_for, strategies
from rebalance_proofs.report.conformance import How
from rebalance_proofs.report.explorer.enumeration import example_of
from rebalance_proofs.report.index.entries import ANYBODY, Listed
from rebalance_proofs.report.kinds import KINDS, families, family, limits, shown
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.subjects import about_releases, covers
from rebalance_proofs.report.symptoms.asked import RELEASES, Asked
from rebalance_proofs.report.text.grouped import Once, grouped
from rebalance_proofs.spark_enum.explorer.standard import LARGER, QUICK


def made(ledger: Sequence[Claim] = LEDGER) -> dict[str, Any]:
    """Return the index of the claims in ``ledger``, as JSON."""
    patterns = Once({claim.id: json.dumps(_covered(claim)) for claim in ledger})
    listed = _listed(ledger)
    return {
        "families": [vars(one) for one in families(ledger)],
        "covered": [json.loads(text) for text in patterns.texts],
        "claims": [_claim(claim, listed[claim.id], patterns.number(claim.id)) for claim in ledger],
        "strategies": list(_strategies(ledger)),
        "kinds": [{name: list(kind.indexed()) for name, kind in KINDS.items() if kind.indexed}],
    }


def written(index: Mapping[str, Any]) -> str:
    """Return the text of the index file, with one line for each claim so that diffs are readable."""
    parts = []
    for name, rows in index.items():
        lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in rows)
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{" + ",\n".join(parts) + "}\n"


def _claim(claim: Claim, listed: tuple[Listed, Listed], covered: int) -> dict[str, Any]:
    kind, marked, example = shown(claim), seen(claim), example_of(claim.id)
    return {
        "id": claim.id,
        "kind": claim.kind,
        "family": family(claim).name,
        "row": kind.row(claim),
        "alone": listed[0],
        "among": listed[1] if listed[1] != listed[0] else None,
        "sentence": readable(claim.sentence),
        "expected": claim.expected,
        "scope": claim.scope,
        "source": claim.source,
        "dropped": claim.world.dropped,
        "limits": limits([claim]),
        "mark": marked.mark.value,
        "cases": marked.cases,
        "kept": marked.how is How.KEPT,
        "results": marked.results,
        "labels": [kind.label(one) for one in claim.subjects],
        "names": claim.names,
        "strategies": strategies(claim),
        "stands_for": stands_for(claim),
        "shipped": shipped(claim),
        "released": about_releases(claim),
        "explored": [f"rebalance {group.name}" for group in (*QUICK, *LARGER) if group.watches_for(claim.id)],
        "example": example and f"rebalance {example.name}",
        "covered": covered,
    }


def _covered(claim: Claim) -> dict[str, int]:
    found = {
        release: sum(covers(claim, Asked(release, mode)) << place for place, mode in enumerate((ANYBODY, *MODES)))
        for release in (ANYBODY, *RELEASES)
    }
    return {release: modes for release, modes in found.items() if modes}


def _listed(ledger: Sequence[Claim]) -> dict[str, tuple[Listed, Listed]]:
    """Return the values of ``Entry.alone`` and ``Entry.among`` by claim id."""
    found: dict[str, tuple[Listed, Listed]] = {}
    for group in grouped(ledger, lambda claim: (family(claim), shown(claim).row(claim)[0])).values():
        heading, sentences = shown(group[0]).listed(group)
        for claim, sentence in zip(group, sentences, strict=True):
            above, (own,) = shown(claim).listed([claim])
            found[claim.id] = (above, own), (heading, sentence)
    return found


def _strategies(ledger: Sequence[Claim]) -> Iterator[dict[str, Any]]:
    """Yield a record with the conformance mark of each strategy's code, also without claims."""
    kinds = [shown(claim) for claim in ledger if isinstance(claim.subjects[0], Strategy)]
    for strategy in (*ALL, *BY_THE_BROKER) if kinds else ():
        yield {"name": strategy.name, "mark": seen_of(kinds[0], (strategy,)).mark.value}
