"""Heartbeats and brokers that are wrong in one thing each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.subscriptions.actions import Act, SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["mutants"]


def mutants(right: SubscriptionsEncoding, *, fingerprints: bool, delays: bool) -> Iterator[Mutant]:
    """``breaks`` is the claim that notices, by its guarantee."""

    def at_once(state: State, said: Said, limits: Limits) -> Turn:
        pulled = right.pulls(state, said, limits)
        barred = z3.Or(state.me.barred, pulled.after.me.refused)
        return _but(replace(pulled, can=z3.And(pulled.can, state.me.fresh)), fresh=z3.BoolVal(False), barred=barred)

    def stays_known(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.arrives(state, said, limits)
        return _but(turn, known=z3.Or(state.me.known, turn.after.me.known))

    def counts_versions(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.others(state, said, limits)
        newer = z3.And(said.topic, said.version > state.me.version)
        return _but(turn, stirred=z3.Or(turn.after.me.stirred, newer))

    def sends_nothing(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.raises(state, said, limits)
        return _but(turn, at=state.me.at, began=state.me.began)

    def adds_only(act: Act) -> Act:
        def wrong(state: State, said: Said, limits: Limits) -> Turn:
            turn, me = act(state, said, limits), state.me
            kept = z3.Or(me.has, turn.after.me.has)
            changes = kept != me.has
            changed = z3.If(changes, state.now, me.changed)
            odd = z3.Or(me.odd, changes != (me.had != turn.after.me.had))
            return _but(turn, has=kept, changed=changed, odd=odd)

        return wrong

    def takes_any(act: Act) -> Act:
        def wrong(state: State, said: Said, limits: Limits) -> Turn:
            turn = act(state, said, limits)
            return _but(turn, takes=z3.And(state.me.takes, z3.Not(said.topic)))

        return wrong

    def first_stays(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.arrives(state, said, limits), version=state.me.version)

    def adds_nothing(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.arrives(state, said, limits), has=state.me.has)

    def filters_posted(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.posts(state, said, limits)
        return _but(turn, lost=z3.Or(state.me.lost, z3.And(state.me.has, z3.Not(state.me.takes))))

    def older_is_fine(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.pulls(state, said, limits)
        lost = z3.Or(state.me.lost, z3.And(state.me.has, z3.Not(state.me.takes)))
        return _but(turn, lost=lost)

    wrong: list[tuple[str, str, SubscriptionsEncoding, str]] = [
        ("counts-versions", "a newer version is told as a change", replace(right, others=counts_versions), "calm"),
        (
            "sends-nothing",
            "a client that raises its version sends no heartbeat",
            replace(right, raises=sends_nothing),
            "accepted-soon",
        ),
        (
            "first-stays",
            "the version that the broker has stays as it is",
            replace(right, arrives=first_stays),
            "accepted",
        ),
    ]
    if not fingerprints:
        wrong += [
            (
                "adds-only",
                "no heartbeat takes a topic out of the table",
                replace(right, others=adds_only(right.others), arrives=adds_only(right.arrives)),
                "exactly",
            ),
            (
                "takes-any",
                "the broker's expression is nobody's",
                replace(right, others=takes_any(right.others)),
                "own-tags",
            ),
            (
                "takes-none",
                "so it is for pulls of others",
                replace(right, others=takes_any(right.others)),
                "all-tags",
            ),
            (
                "adds-nothing",
                "no heartbeat of the member puts a topic into the table",
                replace(right, arrives=adds_nothing),
                "answered",
            ),
            (
                "filters-posted",
                "a pull that has its expression with it is filtered by the broker's",
                replace(right, posts=filters_posted),
                "posted",
            ),
            (
                "older-is-fine",
                "the broker filters with an expression that is older than the pull's",
                replace(right, pulls=older_is_fine),
                "own-tags.newest",
            ),
        ]
    if fingerprints:
        wrong.append(
            (
                "stays-known",
                "a client that is told that the group has changed thinks all the same that the broker has its own",
                replace(right, arrives=stays_known),
                "answered-later",
            )
        )
    if delays:
        wrong.append(
            ("at-once", "the first pull of a queue is not put off", replace(right, firsts=at_once), "first-pull")
        )
    yield from (Mutant(*one) for one in wrong)


def _but(turn: Turn, **me: Any) -> Turn:
    """The same, with these of the fields."""
    return replace(turn, after=replace(turn.after, me=replace(turn.after.me, **me)))
