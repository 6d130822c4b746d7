"""Wrong terms of a transition, one for each thing that is compared with the client's code."""

from collections.abc import Mapping
from dataclasses import replace

from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.proofs.transition.slips import slips

WRONG: Mapping[str, str] = {
    "an effect": "never-pulls",
    "the entry that is left": "new-marked",
    "what is returned": "silent-about-new",
    "where an exception leaves": "adding-throws",
}
"""What is wrong -> the name of the mutant or slip that makes it so."""


def wrong_clients(client: Client) -> dict[str, Client]:
    """What is wrong -> the client with right code and wrong terms."""
    known = {mutant.name: mutant.encoding for mutant in (*client.mutants, *slips(client.encoding))}
    return {what: replace(client, encoding=known[name]) for what, name in WRONG.items()}
