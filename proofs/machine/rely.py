"""Rely-guarantee: a consumer changes shared fields only in ways that others rely on.

Each consumer of a group is a copy of the machine. The other copies can be of the same client or of another one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.copies import ME, OTHER, Others, of_another
from rebalance_proofs.model.machine.machine import MACHINE, act_of
from rebalance_proofs.model.machine.page import Joint, Mixed, Page
from rebalance_proofs.model.machine.record import C, L, S, V, naming, shared
from rebalance_proofs.model.machine.values import And, Bool, If, Implies, Not, Or, Value, term
from rebalance_proofs.model.terms.kernel import unknowns
from rebalance_proofs.model.terms.simplified import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values


def rely(
    doing: Induction[S, C, L, V],
    relied_on: Sequence[Others[S, L]],
    name: str = "rely",
    sentence: str = "Another copy leaves the shared state unchanged or changes it in a permitted way.",
) -> Obligation:
    """Return the obligation that ``doing`` changes shared fields only as ``relied_on`` allows.

    Changes by each action are compared from the viewpoint of another copy. Raises ``ValueError`` if a description in
    ``relied_on`` depends on more than shared fields.
    """
    of, record = doing.configuration, doing.configuration.machine.state
    whoever = [f"{one}_other" for one in naming(record)]

    def seen(state: S, v: SimpleNamespace) -> dict[str, Value]:
        """Return the shared fields from the viewpoint of the relying copy.

        A field that identifies a third copy means "another copy" to both.
        """
        found: dict[str, Value] = {one: getattr(state, one) for one in shared(record)}
        for one in naming(record):
            found[one] = of_another(getattr(state, one), If(getattr(v, f"{one}_other") == 1, OTHER, ME))
        return found

    def state(encoding: Any, v: SimpleNamespace) -> Statement:
        mine, choices, limits = of.given(v)
        # Only the shared fields of the relying copy's state may be used: all others are fresh unknowns.
        world, before = doing.world.beside(encoding), record.symbols(ELSEWHERE).but(**seen(mine, v))
        before = before.but(**{one: getattr(mine, one) for one in of.clock})
        same: list[Bool] = []
        for act, action in of.machine.actions.items():
            if action.by != MACHINE or not action.has(doing.variant) or act in world.excludes:
                continue
            turn = act_of(encoding, act)(mine, choices, limits)
            can, after = And(turn.guard, world.permits(act, mine, choices, limits)), seen(turn.after, v)
            ways = [_so(before, {}, after)]
            for others in relied_on:
                opened = before.but(**{one: after[one] for one in others.opens})
                owned = others.owned(mine, limits, acting=True)
                guard, changes = others.acts(before, opened, limits, owned)
                ways.append(And(guard, _so(before, changes, after)))
                if others.owner:
                    same.append(Implies(And(can, owned), Not(others.owner[1](turn.after, limits))))
            same.append(Implies(can, Or(*ways)))
        then = term(And(*same))
        if any(one.startswith(ELSEWHERE) for one in unknowns(then)):
            raise ValueError(f"{name}: the actions of others depend on more than shared fields")
        return Statement(doing.well(v) | truth_values(v, *whoever) | of.named(mine), then)

    return about(of, name, sentence, state, *whoever)


ELSEWHERE = "elsewhere."


def _so(before: S, changes: Mapping[str, Value], after: Mapping[str, Value]) -> Bool:
    """Return the condition that applying ``changes`` to the shared fields gives ``after``.

    Fields without a change must be as in ``before``.
    """
    return And(*(value == changes.get(one, getattr(before, one)) for one, value in after.items()))


# Claims about two clients in one group: each does only what the other assumes of it.

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
