"""Wrong terms of a transition, one for each part that is compared with the client's code."""

from collections.abc import Mapping
from dataclasses import replace

from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.proofs.transition.slips import slips

WRONG: Mapping[str, str] = {
    "an effect is wrong": "never-pulls",
    "the process queue is wrong": "new-marked",
    "the return value is wrong": "silent-about-new",
    "an exception is wrong": "adding-throws",
}
"""Fault -> the name of the mutant or slip that causes it."""


def wrong_clients(client: Client) -> dict[str, Client]:
    """Return fault -> the client with right code and wrong terms."""
    known = {mutant.name: mutant.encoding for mutant in (*client.mutants, *slips(client.encoding))}
    return {what: replace(client, encoding=known[name]) for what, name in WRONG.items()}
