"""Required comparisons of code, terms and solver models of a rebalance.

There is one of each kind for each client in each mode of use.
"""

from collections.abc import Iterator

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.required import cases
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.kinds import CALLS, LETTERS, MODELS, SINGLES, TABLES

Key = tuple[str, str, str, int]
"""A comparison: (kind, client, mode of use, number of queues)."""


def transition_claims(asked: Asked) -> list[Claim]:
    """Return the requested claims about rebalances."""
    return [claim for claim in asked.claims if claim.kind == Scenario.kind]


def transitions(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required number of comparisons, and of cases in each comparison."""
    clients = dict.fromkeys(client for claim in transition_claims(asked) for client in claim.subjects)
    compared = found.of(SINGLES, CALLS, TABLES, MODELS)
    there = {(row.kind, row.subject, row.setting, row.bounds["queues"]): row for row in compared}
    letters = {(row.subject, row.setting): row for row in found.of(LETTERS)}
    wanted: dict[Key, int] = {}
    for client in clients:
        wanted[SINGLES, client.name, "", 1] = cases.singles(client, bounds.transitions)
        for mode in client.modes if client not in VARIANTS else ():
            known = letters.get((client.name, mode.name))
            expected = cases.of_mode(client, mode)
            yield Required(
                f"{client.name} {mode.name}: cases of the equivalence classes", expected, known.counted if known else 0
            )
            if known:
                wanted |= _of_mode(client, mode, known, bounds.transitions)
    yield Required("comparisons of transitions", len(wanted), sum(key in there for key in wanted))
    for key, expected in wanted.items():
        if key in there:
            yield Required(f"{there[key].name}: cases", expected, there[key].counted)


def _of_mode(client: Client, mode: Mode, letters: Finding, bounds: TransitionBounds) -> dict[Key, int]:
    """Return the numbers of cases in one mode of use.

    With several queues, they are powers of the number of equivalence classes (``letters``) of a queue's states and
    answers. The models are counted by exceptions of other queues.
    """
    ways = cases.thrown(client, mode)
    bound = bounds.letters(calm=ways == 1)
    name = client.name, mode.name
    behaviours, outcomes = letters.numbers["behaviours"], letters.numbers["outcomes"]
    return {
        (CALLS, *name, 2): 2 * min(bound.pairs, behaviours) ** 2,
        (CALLS, *name, 3): min(bound.triples, behaviours) ** 3,
        (TABLES, *name, 2): min(bound.table_pairs, outcomes) ** 2,
        (TABLES, *name, 3): min(bound.table_triples, outcomes) ** 3,
        (MODELS, *name, 1): ways * min(bounds.models, outcomes),
    }
