"""Brokers and members that are wrong in one thing each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.model.registry.state import Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["mutants"]


def mutants(right: RegistryEncoding, *, greets: bool, stops: bool) -> Iterator[Mutant]:
    """``breaks`` is the claim that notices, by its guarantee."""

    def needs_two(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.puts(state, said, limits), mine=state.me.mine)

    def scans_nothing(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.scans(state, said, limits), mine=state.me.mine, old=state.me.old)

    def keeps_newest(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.scans(state, said, limits), old=state.me.old)

    def takes_all(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.scans(state, said, limits), mine=NO)

    def deaf(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.breaks(state, said, limits), mine=state.me.mine)

    def doubles(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.puts(state, said, limits), old=YES, old_at=state.now)

    def silent(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.breaks(state, said, limits), stale=z3.Or(state.me.stale, state.me.mine))

    def drops(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.replaces(state, said, limits), stale=state.me.stale)

    def throws_on(state: State, said: Said, limits: Limits) -> Turn:
        me = state.me
        return _but(right.throws(state, said, limits), alive=me.alive, leaving=me.leaving)

    def blind(state: State, said: Said, limits: Limits) -> Turn:
        return _but(right.polls(state, said, limits), seen=NO)

    wrong: list[tuple[str, str, RegistryEncoding, str]] = [
        ("needs-two", "a heartbeat by a new channel does not list it", replace(right, puts=needs_two), "again"),
        ("takes-all", "a scan removes every channel", replace(right, scans=takes_all), "listed"),
        ("scans-nothing", "a scan removes nothing", replace(right, scans=scans_nothing), "gone"),
        (
            "keeps-newest",
            "a scan removes the newest channel of an id alone",
            replace(right, scans=keeps_newest),
            "once-again",
        ),
        ("deaf", "a channel that is closed stays", replace(right, breaks=deaf), "at-once"),
        ("doubles", "a heartbeat lists its id twice", replace(right, puts=doubles), "once"),
        ("silent", "nobody is notified when a channel is closed", replace(right, breaks=silent), "told"),
        ("drops", "notifications that are collected are not sent", replace(right, replaces=drops), "told-late"),
        ("blind", "a poll does not see the new route", replace(right, polls=blind), "routed"),
    ]
    if stops:
        goes_on = replace(right, throws=throws_on)
        wrong.append(("throws-on", "a member whose start throws goes on", goes_on, "not-started"))
    if greets:
        shy: dict[str, Any] = {name: _shy(getattr(right, name)) for name in ("starts", "reconnects")}
        wrong.append(("shy", "a client that has connected waits for its next heartbeat", replace(right, **shy), "anew"))
    yield from (Mutant(*one) for one in wrong)


def _shy(act: Any) -> Any:
    def wrong(state: State, said: Said, limits: Limits) -> Turn:
        return _but(act(state, said, limits), anew=NO)

    return wrong


def _but(turn: Turn, **me: Any) -> Turn:
    """The same, with these of the member's fields."""
    return replace(turn, after=replace(turn.after, me=replace(turn.after.me, **me)))
