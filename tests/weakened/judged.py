"""What else notices a variant of a formula: a proof that fails, a shortest run, or a mutant's shortest run.

Only variants by dropped or moved parts are judged, which differ from their formula in some state.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import And, Not, term
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.terms.smt import BoolTerm, Term
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import OBSERVES
from rebalance_proofs.proofs.machine.kind import ProvedByInduction, explored, timed_runs
from rebalance_proofs.proofs.results import Counterexample
from tests.machines.registered import Declared
from tests.weakened.decided import CACHE, digest
from tests.weakened.formulas import ALLOWED, BAD, BY_NAME, EVERY, GHOST, THEN, TIME, UNTIL, Formula, formulas, unknowns
from tests.weakened.variants import Variant, dropped, moved, simple

PROOF, RUN, MUTANT, NOTHING = "a proof", "a shortest run", "a mutant's shortest run", "pinned states alone"
SECONDS = 2.0


def at(machine: Declared, of: Term, state: Any, choices: Any, limits: Any, **more: int) -> Term:
    """Return the value of a formula at a state, choices and limits, which are numbers or terms."""
    known, given = unknowns(machine), (state, choices, limits)
    pairs = [
        (getattr(symbol, name), value)
        for symbols_, record in zip(known, given, strict=True)
        if record is not None
        for symbol in (symbols_,)
        for name, value in vars(record.terms()).items()
    ]
    pairs += [(smt.Int(name), smt.IntVal(value)) for name, value in more.items()]
    return smt.substitute(of, *pairs)


def _then(of: Term) -> list[Term]:
    """Return the unknowns of a formula for flags after an action."""
    return [one for one in smt.subterms(of) if one.kind == operators.UNINTERPRETED and repr(one).startswith(THEN)]


def is_true(value: Term) -> bool:
    return smt.is_true(simplify(value))


class Judge:
    """Judges variants of the formulas of one machine."""

    def __init__(self, machine: Declared) -> None:
        self.machine = machine
        self._examples: dict[str, Counterexample | None] = {}

    def told(self, formula: Formula, same: Iterable[str]) -> dict[str, str]:
        """Return what notices each variant, by the variant's name; those in ``same`` equal the formula."""
        client, sort, *about = formula.name.split(" ")
        own = simple(formula.term)
        some = [one for one in (*dropped(own), *moved(own)) if one.name not in same]
        known = {one.name for one in formulas(self.machine.named)}
        alike = {client, *(one.name for one in self.machine.clients)} - {
            name.split(" ")[0] for name in known if name.split(" ")[1:] == [sort, *about] and name != formula.name
        }
        claims = [one for one in self.machine.claims if one.subjects[0].name in alike]
        by = {BAD: self._bad, GHOST: self._ghost, ALLOWED: self._allowed, TIME: self._time}.get(sort)
        if by is None:
            return dict.fromkeys((one.name for one in some), NOTHING)
        return {one.name: by(one, about, claims, formula) for one in some}

    def _updates(self, variant: Variant, action: str, client: Any) -> Iterator[tuple[str, Term]]:
        """Yield the variant for its action, or for each action if the page adds the update to all of them.

        Unknowns for flags after the action get the action's values.
        """
        of = self.machine.configuration.machine
        names = [action] if action != EVERY else [name for name, one in of.actions.items() if one.has(client)]
        for name in names:
            after = act_of(client.encoding, name)(*unknowns(self.machine)).after
            then = [(one, getattr(after, repr(one).removeprefix(THEN))) for one in _then(variant.term)]
            yield name, smt.substitute(variant.term, *((one, term(value)) for one, value in then))

    def hypothesis(self, claim: Claim) -> list[BoolTerm]:
        """Return what the induction of a proved claim assumes of a state."""
        state, _, limits = unknowns(self.machine)
        induction = claim.guarantee.induction(claim.world)  # type: ignore[attr-defined]
        of = self.machine.of(claim)
        given = [*claim.world.given(limits).values(), *induction.asked(limits).values()]
        given += [one.holds(state, limits) for one in induction.invariant]
        return [*of.form(state, limits).values(), *of.named(state).values(), *map(term, given)]

    def _proved(self, claims: Sequence[Claim]) -> list[Claim]:
        return [one for one in claims if one.holds and isinstance(one.guarantee, ProvedByInduction)]

    def _run(self, claim: Claim) -> Any:
        if claim.id not in self._examples:
            self._examples[claim.id] = timed_runs(self.machine.of(claim)).smallest(claim)
        found = self._examples[claim.id]
        return found.group if found else None

    def _bad(self, variant: Variant, about: Sequence[str], claims: Sequence[Claim], formula: Formula) -> str:
        some = [one for one in claims if one.guarantee.name == about[0]]
        if len(about) > 1:
            return NOTHING
        for claim in self._proved(some):
            if possible([*self.hypothesis(claim), variant.term]):
                return PROOF
        for claim in some:
            if not claim.holds and (run := self._run(claim)):
                ends = [at(self.machine, variant.term, end, None, run.limits) for end in run.ends]
                if not any(map(is_true, ends)):
                    return RUN
        for claim in some:
            of = self.machine.of(claim)
            for mutant in claim.subjects[0].mutants if claim.holds and of.bad(claim) else ():
                if mutant.breaks == claim.guarantee.name:
                    wrong = replace(of, bad=lambda claim: self._predicate(variant.term))
                    before, now = (explored(one, mutant.encoding, claim) for one in (of, wrong))
                    if len(before or ()) != len(now or ()):
                        return MUTANT
        return NOTHING

    def _predicate(self, of: Term) -> Any:
        return lambda state, limits: at(self.machine, of, state, None, limits)

    def _after(self, claim: Claim, state: Any) -> BoolTerm:
        _, _, limits = unknowns(self.machine)
        induction = claim.guarantee.induction(claim.world)  # type: ignore[attr-defined]
        nothing = [Not(induction.bad(state, limits))] if induction.bad else []
        return term(And(*(one.holds(state, limits) for one in induction.invariant), *nothing))

    def _ghost(self, variant: Variant, about: Sequence[str], claims: Sequence[Claim], formula: Formula) -> str:
        action, ghost = about
        given = unknowns(self.machine)
        updates = {one: dict(self._updates(variant, action, one)) for one in {claim.subjects[0] for claim in claims}}
        for claim in self._proved(claims):
            client = claim.subjects[0]
            world = claim.world.beside(client.encoding)
            for name, update in updates[client].items():
                if name in world.excludes:
                    continue
                turn = act_of(client.encoding, name)(*given)
                after = turn.after.but(**{ghost: update})
                can = [term(turn.guard), term(world.allows(name, *given)), smt.Not(self._after(claim, after))]
                if possible([*self.hypothesis(claim), term(given[1].in_range()), *can]):
                    return PROOF
        if self.machine.configuration.copies > 1:
            return NOTHING
        for claim in claims:
            run = None if claim.holds else self._run(claim)
            if run and not self._still(claim, run, ghost, updates[claim.subjects[0]]):
                return RUN
        return NOTHING

    def _still(self, claim: Claim, run: Any, ghost: str, updates: Mapping[str, Term]) -> bool:
        """Return whether the run still ends in a bad state, if actions have another effect on a ghost."""
        of, client = self.machine.of(claim), claim.subjects[0]
        state = run.first.terms()
        for seen in run.seen:
            state = state.at_time(smt.IntVal(seen.at))
            if seen.happens.action == OBSERVES:
                continue
            choices = of.chosen(seen.happens, run.limits)
            turn = act_of(client.encoding, seen.happens.action)(state, choices.terms(), run.limits.terms())
            after = turn.after
            if seen.happens.action in updates:
                update = updates[seen.happens.action]
                after = after.but(**{ghost: at(self.machine, update, state, choices, run.limits)})
            state = type(after)(**{name: simplify(value) for name, value in vars(after.terms()).items()})
        bad = of.bad(claim)
        return bad is None or is_true(term(bad(state, run.limits.terms())))

    def _allowed(self, variant: Variant, about: Sequence[str], claims: Sequence[Claim], formula: Formula) -> str:
        world, action, *alone = about
        some = [one for one in claims if one.world.name == world]
        given = unknowns(self.machine)
        for claim in self._proved(some) if not alone else ():
            turn = act_of(claim.subjects[0].encoding, action)(*given)
            can = [term(turn.guard), variant.term, smt.Not(self._after(claim, turn.after))]
            if possible([*self.hypothesis(claim), term(given[1].in_range()), *can]):
                return PROOF
        for claim in some:
            if not claim.holds and (run := self._run(claim)) and not self._permits(claim, run, action, variant):
                return RUN
        return NOTHING

    def _permits(self, claim: Claim, run: Any, action: str, variant: Variant) -> bool:
        of, before = self.machine.of(claim), (run.first,) * self.machine.configuration.copies
        for seen in run.seen:
            if seen.happens.action == action:
                state = before[of.acting(seen.happens)].at_time(seen.at)
                choices = of.chosen(seen.happens, run.limits)
                if not is_true(at(self.machine, variant.term, state, choices, run.limits)):
                    return False
            before = seen.states
        return True

    def _time(self, variant: Variant, about: Sequence[str], claims: Sequence[Claim], formula: Formula) -> str:
        some = [one for one in claims if one.world.name == about[0]]
        state, _, _ = unknowns(self.machine)
        for claim in self._proved(some):
            later = smt.Not(self._after(claim, state.at_time(smt.Int(UNTIL))))
            if possible([*self.hypothesis(claim), variant.term, later]):
                return PROOF
        for claim in some:
            if not claim.holds and (run := self._run(claim)):
                before = (run.first,) * self.machine.configuration.copies
                for seen in run.seen:
                    if not all(
                        is_true(at(self.machine, variant.term, one, None, run.limits, until=seen.at)) for one in before
                    ):
                        return RUN
                    before = seen.states
        return NOTHING


def possible(given: Sequence[BoolTerm]) -> bool:
    """Return whether the formulas can be true together, or the solver does not know that they cannot."""
    solver = Solver(SECONDS)
    solver.add(given)
    return solver.check() != unsat


def judged(name: str, same: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the name of each formula with how many variants what notices; ``same``: those that equal it, by formula.

    What an earlier run has found of the same formula is taken from ``CACHE``.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    file, judge = CACHE / f"{name}-judged.jsonl", Judge(BY_NAME[name])
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines()) if file.exists() else ()
    known = {(line["formula"], line["of"]): line["by"] for line in lines}
    for formula in (one for one in formulas(name) if not one.composed):
        key = formula.name, digest(formula)
        if key not in known:
            known[key] = dict(Counter(judge.told(formula, same[formula.name]).values()))
            with file.open("a", encoding="utf-8") as to:
                print(json.dumps({"formula": key[0], "of": key[1], "by": known[key]}), file=to)
        yield formula.name, known[key]
