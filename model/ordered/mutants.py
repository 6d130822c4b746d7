"""Wrong ways to consume in order: each has to be noticed by a claim, most by the one that no two listeners run."""

from collections.abc import Iterator
from dataclasses import replace

import z3

from rebalance_proofs.model.client.process_queue import FREE
from rebalance_proofs.model.ordered.actions import Rebalance, encoding
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.rules import OrderedRules
from rebalance_proofs.model.ordered.state import Said, State, Turn
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.terms.truth import YES
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown

__all__ = ["mutants"]


def mutants(step: Rebalance, rules: OrderedRules, *, gives_back: bool, few: bool) -> Iterator[Mutant]:
    """Those of a client with that rebalance; ``few``: of one that differs from another one in the rebalance alone, what
    is wrong about that, and two more."""
    right = encoding(step, rules)

    def trusts_for_ever(state: State, said: Said, limits: Limits) -> Turn:
        return right.starts(replace(state, me=replace(state.me, stamp=state.now)), said, limits)

    def hears_too_much(state: State, said: Said, limits: Limits) -> Turn:
        return replace(right.renewed(state, said, limits), can=state.me.present)

    def grants_to_all(state: State, said: Said, limits: Limits) -> Turn:
        return replace(
            right.locks(state, said, limits), can=z3.Not(z3.Or(state.me.present, state.me.adding, state.me.closed))
        )

    def hears_anyone(state: State, said: Said, limits: Limits) -> Turn:
        return replace(right.renews(state, said, limits), can=YES)

    def frees_any(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.returned(state, said, limits)
        return replace(turn, after=replace(turn.after, lock=replace(turn.after.lock, holder=z3.IntVal(0))))

    def under_the_listener(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        return step(replace(entry, consume_lock=z3.IntVal(FREE)), asked, thrown)

    def adds_unasked(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.adds(state, said, limits)
        return replace(turn, can=z3.Not(z3.Or(state.me.present, state.me.adding, state.me.runs, state.me.closed)))

    def forgets_the_listener(state: State, said: Said, limits: Limits) -> Turn:
        turn = right.renews(state, said, limits)
        return replace(turn, after=replace(turn.after, me=replace(turn.after.me, unlocking=state.me.present)))

    def waits_for_nothing(state: State, said: Said, limits: Limits) -> Turn:
        return right.gives_back(
            replace(state, me=replace(state.me, cut=YES, waits_since=state.now - limits.wait)), said, limits
        )

    wrong = [
        ("trusts-for-ever", "A consumer trusts in a lock however old.", replace(right, starts=trusts_for_ever)),
        ("hears-too-much", "A consumer takes a renewal for granted.", replace(right, renewed=hears_too_much)),
        ("grants-to-all", "The broker grants a rebalance's lock to whoever asks.", replace(right, locks=grants_to_all)),
        ("renews-for-all", "The broker renews a lock for whoever asks.", replace(right, renews=hears_anyone)),
        ("returns-too-early", "A renewal gives the lock back.", replace(right, renews=forgets_the_listener)),
    ]
    if gives_back:
        sentence = "A rebalance gives the lock back under a running listener."
        wrong.append(("under-the-listener", sentence, encoding(under_the_listener, rules)))
        wrong.append(("frees-any", "The broker takes a lock back from anyone.", replace(right, returned=frees_any)))
        wrong.append(("adds-unasked", "A rebalance adds a queue without its lock.", replace(right, adds=adds_unasked)))
    if rules.renews_on:
        sentence = "A shutdown gives the locks back at once, whatever it was told to wait."
        wrong.append(("waits-for-nothing", sentence, replace(right, gives_back=waits_for_nothing)))
    for name, sentence, encoded in wrong:
        if few and name not in ("trusts-for-ever", "grants-to-all", "under-the-listener"):
            continue
        yield Mutant(name, sentence, encoded, "exclusive")
    if rules.renews_on:

        def pulls_at_once(state: State, said: Said, limits: Limits) -> Turn:
            return right.pulls(replace(state, me=replace(state.me, pulls_from=state.now)), said, limits)

        sentence = "A new entry is pulled at once."
        yield Mutant("pulls-at-once", sentence, replace(right, pulls=pulls_at_once), "exclusive.renewed-alike")
    if not rules.renews_on and rules.waits_for_listener:
        sentence = "Renewals go on when the consumer is shut down."
        yield Mutant("renews-on", sentence, encoding(step, replace(rules, renews_on=True)), "given-back")
