"""What is so at first, and is kept by everything that can happen, is always so: obligation by obligation."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from types import SimpleNamespace

import z3

from rebalance_proofs.model.pulls.actions import PullsEncoding
from rebalance_proofs.model.pulls.state import State, nothing
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.pulls.invariant import Conjunct, form
from rebalance_proofs.proofs.pulls.troubles import Troubles
from rebalance_proofs.proofs.pulls.variables import NAMES, flags, said_of, state_of
from rebalance_proofs.proofs.records import made_once

__all__ = ["ACTIONS", "about", "kept", "well"]

ACTIONS = {
    "adds": "A rebalance makes an entry, if it is told where to begin.",
    "revokes": "A rebalance looks at the entry.",
    "takes": "A pull request is taken.",
    "asks": "A request is taken whose offset is asked for first.",
    "sends": "That is answered, or not.",
    "answers": "A pull is answered, or fails.",
    "illegal": "A pull is told that its offset is illegal.",
    "repairs": "A task repairs an offset.",
    "waits": "Time passes.",
    "suspends": "The consumer is suspended.",
    "resumes": "It goes on.",
    "throws": "The offset store throws in `pullMessage`.",
    "errs": "An `Error` is thrown in `pullMessage`.",
    "breaks": "An `Error` is thrown in a callback.",
    "interrupts": "The thread is interrupted that puts a request into the queue.",
    "hooks": "The RPC hook throws.",
    "overtime": "The connection is made when the pull's time is over.",
}
"""What can happen, by the names of an encoding's parts."""
assert {*ACTIONS, "step", "rules"} == {field.name for field in fields(PullsEncoding)}

Stated = Callable[[PullsEncoding, SimpleNamespace], Statement]


def well(conjuncts: Mapping[str, Conjunct], v: SimpleNamespace) -> dict[str, z3.BoolRef]:
    """The invariant holds."""
    return flags(v) | _all(conjuncts, state_of(v))


def kept(
    conjuncts: Mapping[str, Conjunct], world: Troubles, bad: Callable[[State], z3.BoolRef]
) -> Iterator[Obligation]:
    """At first it is so, and nothing bad is; and whatever happens keeps it."""
    given = made_once(partial(well, conjuncts))

    def then(state: State) -> z3.BoolRef:
        return z3.And([*_all(conjuncts, state).values(), z3.Not(bad(state))])

    def begins(e: PullsEncoding, v: SimpleNamespace) -> Statement:
        limit = {"the longest time without a pull is no less than 0": v.limit >= 0}
        return Statement(flags(v) | limit, then(replace(state_of(v), me=nothing())))

    def acts(name: str) -> Stated:
        def state(e: PullsEncoding, v: SimpleNamespace) -> Statement:
            before, said = state_of(v), said_of(v)
            turn = getattr(e, name)(before, said)
            can = {"it is possible": turn.can, "the premises allow it": world.allows(e, name, before, said)}
            return Statement(given(v) | can, then(turn.after))

        return state

    yield about("at-first", "At first all is well.", begins)
    for name in world.actions:
        yield about(name, f"{ACTIONS[name]} All stays well.", acts(name))


def about(name: str, sentence: str, state: Stated) -> Obligation:
    """An obligation about one queue's pull requests."""
    return Obligation(name, sentence, NAMES, state, goals=_goals)


def _all(conjuncts: Mapping[str, Conjunct], state: State) -> dict[str, z3.BoolRef]:
    written = {"nothing is fewer than none, and what is not there has no numbers": form(state)}
    return written | {conjunct.sentence: conjunct.holds(state) for conjunct in conjuncts.values()}


def _goals(v: SimpleNamespace, bound: int) -> Iterator[tuple[str, z3.BoolRef]]:
    yield "the longest time without a pull beyond the bound", v.limit >= bound
