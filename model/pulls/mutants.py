"""Wrong ways to pull: each has to be noticed by a claim."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import z3

from rebalance_proofs.model.pulls.actions import Act, PullsEncoding
from rebalance_proofs.model.pulls.state import Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import NO, YES

__all__ = ["mutants"]


def mutants(right: PullsEncoding) -> Iterator[Mutant]:
    """Those of a client."""

    def goes_on(state: State, said: Said) -> Turn:
        turn = right.revokes(state, said)
        me = turn.after.me
        return _but(turn, unmarked=z3.Or(me.unmarked, z3.And(z3.Not(me.present), z3.Not(state.me.dropped))))

    def never_expires(state: State, said: Said) -> Turn:
        turn = right.revokes(state, said)
        expired = z3.And(said.in_set, state.me.age > state.limit)
        kept = {name: z3.If(expired, value, getattr(turn.after.me, name)) for name, value in vars(state.me).items()}
        return _but(turn, **kept | {"kept": z3.If(expired, state.me.age, turn.after.me.kept)})

    def keeps_sent(state: State, said: Said) -> Turn:
        return _but(right.takes(state, said), waiting=state.me.waiting)

    def forgets(state: State, said: Said) -> Turn:
        return _but(right.answers(state, said), waiting=state.me.waiting)

    def pulls_suspended(state: State, said: Said) -> Turn:
        turn = right.takes(replace(state, me=replace(state.me, suspended=NO)), said)
        me = turn.after.me
        sent = me.pulling + me.old_pulling > state.me.pulling + state.me.old_pulling
        begun = z3.Or(state.me.begun, z3.And(state.me.suspended, sent))
        return _but(turn, suspended=state.me.suspended, begun=begun)

    def keeps_all(state: State, said: Said) -> Turn:
        turn = right.revokes(state, said)
        others = z3.And(z3.Not(said.in_set), z3.Not(state.me.dropped), z3.Not(state.me.suspended))
        kept = {name: z3.If(others, value, getattr(turn.after.me, name)) for name, value in vars(state.me).items()}
        return _but(turn, **kept | {"stale": z3.Or(turn.after.me.stale, others)})

    yield Mutant(
        "pulls-suspended", "A consumer that is suspended pulls.", replace(right, takes=pulls_suspended), "rests"
    )
    yield Mutant(
        "keeps-all",
        "A rebalance leaves the queues of others as they are.",
        replace(right, revokes=keeps_all),
        "lets-go",
    )
    yield Mutant(
        "goes-on", "A rebalance takes an entry out and does not mark it.", replace(right, revokes=goes_on), "dies"
    )
    yield Mutant(
        "never-expires",
        "An entry that is not pulled is left as it is.",
        replace(right, revokes=never_expires),
        "healed",
    )
    yield Mutant(
        "keeps-sent", "A request that is sent waits all the same.", replace(right, takes=keeps_sent), "one-request"
    )
    yield Mutant(
        "forgets",
        "The request of a pull that was answered is not put back.",
        replace(right, answers=forgets),
        "has-request",
    )
    if right.rules.repairs_at_once:
        for name in ("hits-own-entry", "repairs-while-held"):
            yield Mutant(
                f"repairs-others-{name}",
                "A task is not about the entry whose pull it was.",
                replace(right, illegal=_never_own(right.illegal)),
                name,
            )


def _never_own(right: Act) -> Act:
    """A task loses its entry when it is made."""

    def wrong(state: State, said: Said) -> Turn:
        turn = right(state, said)
        me = turn.after.me
        return _but(turn, repairing=z3.IntVal(0), old_repairing=me.old_repairing + me.repairing, dropped=YES)

    return wrong


def _but(turn: Turn, **me: Any) -> Turn:
    """The same, with these of the consumer's fields."""
    return replace(turn, after=replace(turn.after, me=replace(turn.after.me, **me)))
