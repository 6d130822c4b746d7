"""Claims about two clients in one group: each does only what the other assumes of it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

from rebalance_proofs.model.machine.page import Joint, Mixed, Page
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.obligation import Obligation

Proves = Callable[[Any, Joint], Induction[Any, Any, Any, Any]]
"""``proves(client, joint)``: the client's proof of several guarantees."""


def claims_of_pairs(of: Page[Any, Any, Any, Any], mixed: Mixed[Any], proves: Proves) -> Iterator[Claim]:
    """Yield a claim about every ordered pair of clients that may be in one group."""
    for first, second in (pair for clients in mixed.groups for pair in permutations(clients, 2)):
        guarantee, world = _guarantee(mixed, first, second, proves), mixed.world(first)
        yield Claim(
            of.name,
            (first, second),
            guarantee,
            world,
            True,
            f"{first.rocketmq_name}: {guarantee.sentence}.",
            mixed.scope,
            guarantee.source,
            guarantee.obligations(world),
        )


def obligations(mixed: Mixed[Any], first: Any, second: Any, proves: Proves) -> Iterator[Obligation]:
    """Yield the obligations that the first client does only what the second one assumes.

    They are grouped by the second client's proofs. If the first client's own claims have another invariant, it must
    also preserve the second client's.
    """
    ours, theirs = mixed.proofs(first, second), mixed.proofs(second, first)
    proofs = [proves(first, one) for one in ours]
    if mixed.own(first, second):
        for joint, proof in zip(ours, proofs, strict=True):
            yield from (replace(one, name=f"{joint.prefix}{one.name}") for one in proof.obligations())
    for number, (mine, joint) in enumerate(zip(proofs, theirs, strict=True), start=1):
        sentence = f"A consumer of {first.rocketmq_name} changes the shared state only as {second.rocketmq_name} "
        relied_on = proves(second, joint).others
        yield rely(mine, relied_on, f"relied-on-{number}", f"{sentence}relies on for {_named(joint)}.")


def _named(joint: Joint) -> str:
    return ", ".join(f"`{name}`" for name in joint.guarantees)


def _guarantee(mixed: Mixed[Any], first: Any, second: Any, proves: Proves) -> Guarantee:
    named = ", ".join(map(_named, mixed.proofs(second, first)))
    sentence = f"its consumers keep the rules that proofs about consumers of {second.rocketmq_name} rely on"
    # No search for a counterexample covers runs of two clients.
    return Guarantee(
        "mixed",
        sentence,
        mixed.source,
        always(*obligations(mixed, first, second, proves)),
        lambda found: NO,
        lambda run: None,
        where=(f"the rules: assumptions about other consumers in the proofs of {named}",),
    )
