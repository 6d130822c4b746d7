"""Rebalance threads that are wrong in one thing each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.settling.actions import SettlingEncoding
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import LOOKS, WOKEN, Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant

__all__ = ["mutants"]


def mutants(right: SettlingEncoding, *, least: bool) -> Iterator[Mutant]:
    """``breaks`` is the claim that notices, by its guarantee."""

    def forgets(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.looks(state, said, limits), at=z3.If(state.me.at == LOOKS, state.me.at + 1, state.me.at))

    def opens_nothing(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.counts(state, said, limits), open=state.me.open)

    def waits_longer(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.ends(state, said, limits)
        return _but(turn, interval=3 * limits.wait + 3 * limits.least)

    def sees_nothing(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.ends(state, said, limits), right=state.me.right)

    def hurries(state: State, said: Said, limits: Limits) -> Turn:
        return replace(right.begins(state, said, limits), can=state.me.at == WOKEN)

    wrong: list[tuple[str, str, SettlingEncoding, str]] = [
        ("forgets", "a thread that was woken waits all the same", replace(right, looks=forgets), "woken"),
        ("opens-nothing", "a latch that is counted down stays closed", replace(right, counts=opens_nothing), "woken"),
        (
            "waits-longer",
            "after a rebalance it waits three times as long",
            replace(right, ends=waits_longer),
            "settles",
        ),
        ("sees-nothing", "no rebalance sees the change", replace(right, ends=sees_nothing), "settles"),
    ]
    if least:
        begins = (
            "hurries",
            "a rebalance begins whenever a wait ends",
            replace(right, begins=hurries),
            "apart",
        )
        wrong.append(begins)
    yield from (Mutant(*one) for one in wrong)


def _but(turn: Turn, **me: Any) -> Turn:
    """The same, with these of the thread's fields."""
    return replace(turn, after=replace(turn.after, me=replace(turn.after.me, **me)))
