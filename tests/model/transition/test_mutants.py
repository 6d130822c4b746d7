"""Mutants of transitions: each is wrong somewhere, and names a guarantee that is proved of its client."""

import random

import pytest

from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.model.transition.client import ORDERLY
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V5_0, V5_2
from rebalance_proofs.model.transition.step import Batch
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.transition.claims import claims
from tests.each import each
from tests.model.transition.handmade import case
from tests.model.transition.random_cases import FLAGS, Values, assignment, numerals, sampled, simplified, step_terms

PROVED = {(claim.subjects, claim.guarantee.name) for claim in claims() if claim.expected is Verdict.PROVED}
FLAG_VALUES = ((0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1))
TRIED = 4_000
"""At most so many cases until a mutant has to be told."""

MUTANTS = {
    f"{client.name}-{mutant.name}": (client, mutant)
    for client in CLIENTS
    for mutant in client.mutants
    if mutant.breaks != "renewed"
}
"""Of a rebalance."""

each_mutant = each(("client", "mutant"), MUTANTS.values(), ids=MUTANTS)


def said(step: Values) -> tuple:
    """All that promises speak of."""
    return step.effects("removal"), step.effects("addition"), step.outcome, step.flag("changed"), step.flag("out")


@each_mutant
def test_mutant_differs_from_the_correct_step(client, mutant):
    source = random.Random(7)
    for _ in range(TRIED):
        mode, case = sampled(client, 1, 1, source)
        values = assignment(mode, case) | dict(zip(FLAGS, source.choice(FLAG_VALUES), strict=True))
        (right,), _ = step_terms(client.encoding)(values)
        (wrong,), _ = step_terms(mutant.encoding)(values)
        if said(right) != said(wrong):
            return
    pytest.fail("no difference")


@each_mutant
def test_mutant_names_a_proved_guarantee_of_its_client(client, mutant):
    assert ((client,), mutant.breaks) in PROVED
    assert mutant.sentence == mutant.sentence.rstrip(".")


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_mutants_of_a_client_have_unique_names(client):
    names = [mutant.name for mutant in client.mutants]
    assert len(set(names)) == len(names) >= 12


def test_clients_have_at_least_a_dozen_mutants():
    assert len({mutant.name for _, mutant in MUTANTS.values()}) >= 12
    assert len({mutant.breaks for _, mutant in MUTANTS.values()}) >= 12


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_proved_guarantee_has_a_mutant_or_a_reason(client):
    proved = {name for clients, name in PROVED if clients == (client,)}
    without = proved - {mutant.breaks for mutant in client.mutants}
    assert without == WITHOUT[client]


WITHOUT = {V4_9: set(), V5_0: set(), V5_2: set(), NODE: {"offset-kept"}}
"""In Node an entry never stays when its offset is forgotten."""


@pytest.mark.parametrize("client", [V4_9, V5_0, V5_2], ids=lambda client: client.name)
def test_renewal_mutant_ignores_unlocked_entries(client):
    (mutant,) = [mutant for mutant in client.mutants if mutant.breaks == "renewed"]
    for locked in (0, 1):
        entry, asked = numerals(ORDERLY, case([{"locked": locked}], [[{}]]))
        right, wrong = (
            simplified(encoding.renew(entry, asked, Batch(NO, NO))) for encoding in (client.encoding, mutant.encoding)
        )
        assert right.effects("addition") == (("pqLocked", 1),)
        assert (wrong.effects("addition") == right.effects("addition")) is bool(locked)
