"""Self-tests of comparing a solver's models with the code's runs.

The formulas are wrong.
"""

from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.evidence.self_tests.wrong_steps import wrong_clients
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import PUSH, Client
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown
from rebalance_proofs.spark_enum.transition.columns import alphabet
from rebalance_proofs.spark_enum.transition.relation import Relation

LETTERS = 6
"""The number of equivalence classes of a queue's states and answers that are compared."""


def _open(client: Client) -> Client:
    """Return the client with terms that leave open whether a rebalance reports a change.

    Its formulas have two models.
    """

    def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        return replace(client.encoding.step(entry, asked, thrown), changed=smt.Bool("anything"))

    return replace(client, encoding=replace(client.encoding, step=step))


def _impossible(client: Client) -> Client:
    """Return the client whose formulas have no model."""
    return replace(client, encoding=replace(client.encoding, possible=lambda thrown, own_store: smt.BoolVal(False)))


def trials() -> list[Trial]:
    """Return the self-tests: one for each compared part, and for too many or too few models."""
    letters = alphabet(NODE, PUSH).at_most(LETTERS)

    def said(client: Client) -> tuple[str, ...]:
        return said_of(Relation(client, PUSH, letters).check())

    right = partial(said, NODE)
    wrong = wrong_clients(NODE) | {
        "two models for one outcome": _open(NODE),
        "a formula has no model": _impossible(NODE),
    }
    return [Trial(f"models: {name}", right, partial(said, client)) for name, client in wrong.items()]
