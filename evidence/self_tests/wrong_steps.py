"""Wrong terms for a client's rebalance, one for each part that is compared with its code."""

from collections.abc import Mapping
from dataclasses import replace

from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.proofs.transition.scenario import slips

WRONG: Mapping[str, str] = {
    "an effect is wrong": "never-pulls",
    "the process queue is wrong": "new-marked",
    "the return value is wrong": "silent-about-new",
    "an exception is wrong": "adding-throws",
}
"""Name of a fault -> name of the mutant that has it."""


def wrong_clients(client: Client) -> dict[str, Client]:
    """Return clients with right code and wrong terms, by the name of the fault."""
    known = {mutant.name: mutant.encoding for mutant in (*client.mutants, *slips(client.encoding))}
    return {what: replace(client, encoding=known[name]) for what, name in WRONG.items()}
