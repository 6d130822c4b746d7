"""States that tell a formula apart from its variants: taken from runs and compared states, or found by a solver."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np

from rebalance_proofs.model.machine.record import flags, naming
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.model.terms.kernel import unknowns as names_in
from rebalance_proofs.model.terms.smt import BoolTerm, Term
from rebalance_proofs.model.terms.solver import Solver, sat, unsat
from rebalance_proofs.proofs.breadth_first import joined, picked
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.kind import together
from tests.machines.registered import Declared
from tests.weakened.formulas import (
    ALLOWED,
    BAD,
    BY_NAME,
    GHOST,
    LIMITS,
    THEN,
    TIME,
    UNTIL,
    Formula,
    formulas,
    unknowns,
)
from tests.weakened.variants import literals, moved, parts, simple

Row = Mapping[str, int]
Columns = Mapping[str, np.ndarray]
MOST = 600
"""States of one exploration that are candidates."""
SCOPES = {BAD: slice(0, 1), GHOST: slice(0, 2), ALLOWED: slice(0, 2), TIME: slice(0, 1), LIMITS: slice(2, 3)}
"""Sort of formulas -> the records whose fields are literals: of state, choices and limits."""
VARIED = 2000
"""Variations of states that are tried at a time."""
SECONDS = 2.0
NEAR = 40
"""Solvers look for states with numbers of at most this size first."""


@cache
def symbols(name: str) -> Mapping[str, Term]:
    """Return all unknowns of a machine's formulas, by name."""
    found = {one: value for record in unknowns(BY_NAME[name]) for one, value in vars(record).items()}
    every = {one for formula in formulas(name) for one in smt.subterms(formula.term)}
    after = {repr(one): one for one in every if one.kind == operators.UNINTERPRETED and repr(one).startswith(THEN)}
    found |= dict(sorted(after.items()))
    return found | ({UNTIL: smt.Int(UNTIL)} if BY_NAME[name].configuration.clock else {})


def columns(machine: Declared, rows: Sequence[Row]) -> Columns:
    """Return the rows as arrays by name; a name that a row lacks is 0 or false."""
    known = symbols(machine.named)
    return {
        name: np.array([row.get(name, 0) for row in rows], dtype=bool if smt.is_bool(one) else np.int64)
        for name, one in known.items()
    }


def evaluating(terms: Sequence[Term]) -> Callable[[Columns], np.ndarray]:
    """Return a function for the values of terms in rows: a line for each term."""
    names = sorted(set[str]().union(*map(names_in, terms)))
    kernel = compile_kernel(names, *terms)

    def of(given: Columns) -> np.ndarray:
        many = len(next(iter(given.values())))
        return np.array([np.broadcast_to(one, many) for one in kernel(*(given[name] for name in names))])

    return of


# Candidates


@cache
def candidates(name: str) -> Sequence[Row]:
    """Return states that runs of the machine reach, then compared states, with drawn choices."""
    machine, drawn = BY_NAME[name], np.random.default_rng(1)
    rows = [*_reached(machine), *_compared(machine)]
    chosen, now = flags(machine.configuration.machine.choices), machine.configuration.clock
    known = symbols(name)
    for row in rows:
        for one in sorted(known.keys() - row.keys()):
            row[one] = 0 if one.startswith(THEN) else int(drawn.integers(0, 2 if one in chosen else 4))
        if now:
            row[UNTIL] = row["now"] + int(drawn.integers(0, 5))
    return rows


def _reached(machine: Declared) -> Iterator[dict[str, int]]:
    """Yield states that some runs reach: of the first and the last client, and of the first one's mutants."""
    tried = set()
    for client in dict.fromkeys((machine.clients[0], machine.clients[-1])):
        wrong = [one.encoding for one in client.mutants] if client is machine.clients[0] else []
        for claim in machine.claims:
            key = client.name, claim.world.name
            if claim.subjects == (client,) and key not in tried:
                tried.add(key)
                for encoding in (client.encoding, *wrong):
                    yield from _explored(machine, claim, encoding)
                wrong = []


def _explored(machine: Declared, claim: Claim, encoding: Any) -> Iterator[dict[str, int]]:
    """Yield states of the first copy in some of the states that an exploration reaches first."""
    of, client = machine.of(claim), claim.subjects[0]
    system = together(of, encoding, claim)
    moves = [
        own
        for move in of.moves
        if move.action not in claim.world.excludes and of.machine.actions[move.action].has(client)
        for own in of.whose(move)
    ]
    rows = system.start()
    seen, every = {row.tobytes() for row in np.ascontiguousarray(rows)}, rows
    for _ in range(40):
        found = [system.after(rows, move)[0] for move in moves]
        if of.clock:
            found.append(system.later(picked(rows, np.flatnonzero(system.waits(rows)))))
        after = joined(found)
        if not len(after):
            break
        keys = {row.tobytes(): place for place, row in enumerate(np.ascontiguousarray(after))}
        fresh = [place for key, place in keys.items() if key not in seen]
        seen |= keys.keys()
        rows = picked(after, np.array(fresh, dtype=np.int64))
        if not len(rows):
            break
        every = joined([every, rows])
        if len(every) > MOST:
            break
    few = every[:: max(1, len(every) // 60)]
    limits = of.of_claim(claim)[1]
    begun = claim.world.beside(encoding).first(of.machine.begun(limits, client), limits)
    fixed = {name: int(value) for name, value in vars(begun).items()}
    numbers = {name: int(value) for name, value in (*vars(limits).items(), *of.numbers(limits).items())}
    for row in few.tolist():
        told = dict(zip(system.columns, row, strict=True))
        own = {name: told.get(f"{name}0", told.get(name, fixed.get(name, 0))) for name in (*of.clock, *of.own)}
        for name in naming(of.machine.state):
            own[name] = {0: 0, system.number(0): 1}.get(own[name], 2)
        yield {**numbers, **own}


def _compared(machine: Declared) -> Iterator[dict[str, int]]:
    space = machine.steps.space
    for place in range(0, space.size, max(1, space.size // 1500)):
        row = {name: int(column[place]) for name, column in space.states.items()}
        yield {name: int(value) for name, value in vars(space.limits).items()} | row


# Requirements: for each part of a formula, states in which it decides the formula's value


@dataclass
class Told:
    """What tells a formula's variants apart."""

    formula: Formula
    rows: list[int] = field(default_factory=list)
    """Numbers of the needed rows."""
    dropped: int = 0
    """Variants in which a part is dropped or something is moved by one."""
    added: int = 0
    """Variants in which a part is restricted or widened by literals."""
    same: list[str] = field(default_factory=list)
    """Of the first, those that equal the formula in every state."""
    same_added: int = 0
    open: list[str] = field(default_factory=list)
    """Variants about which the solver gave no answer."""

    def counted(self, rows: Sequence[Row], written: Callable[[Row], str]) -> dict[str, Any]:
        """Return the needed states as texts, and the numbers of variants."""
        return {
            "states": list(dict.fromkeys(written(rows[place]) for place in self.rows)),
            "dropped": self.dropped,
            "added": self.added,
            "same": self.same,
            "same added": self.same_added,
            "open": self.open,
        }


class Chosen:
    """The rows chosen for one machine, shared by its formulas."""

    def __init__(self, machine: Declared, rows: Sequence[Row] = ()) -> None:
        self.machine, self.rows = machine, list(rows)

    @cached_property
    def pool(self) -> Columns:
        """Return the states that are tried first."""
        return columns(self.machine, candidates(self.machine.named))

    def tell(self, formula: Formula) -> Told:
        """Choose rows that tell the formula apart from its variants."""
        return _Telling(self, formula).told()

    def left(self, formula: Formula) -> tuple[list[str], int]:
        """Return the variants that the rows do not tell apart: those by dropped or moved parts, and how many others."""
        return _Telling(self, formula).left()


class _Telling:
    def __init__(self, chosen: Chosen, formula: Formula) -> None:
        self._chosen, self._formula, machine = chosen, formula, chosen.machine
        term = simple(formula.term)
        self._parts, self._moved = list(parts(term)), list(moved(term))
        about = unknowns(machine)[SCOPES[formula.sort]]
        of = {name: one for record in about for name, one in vars(record).items()}
        self._literals = literals(of)
        known, masks = formula.known, list[BoolTerm]()
        for part in self._parts:  # parts false, then true, as in ``dropped``
            masks += [smt.And(known, part.decides, part.term), smt.And(known, part.decides, smt.Not(part.term))]
        self._masks, self._moves = masks, [smt.And(known, one.term != term) for one in self._moved]
        if not smt.is_bool(term) or not self._parts:
            masks[:0] = [known]
        self._terms = [*masks, *self._moves, *self._literals.values()]
        self._pairs = formula.sort in (ALLOWED, TIME)
        # Bad states and ghosts are restricted by flags only.
        flags_only = formula.sort in (BAD, GHOST)
        constant = not self._parts and not self._moved
        self._asked = np.array([not constant and not (flags_only and " = " in words) for words in self._literals])
        self._kernel, self._known = evaluating(self._terms), evaluating([known])
        self._drawn = np.random.default_rng(1)

    def _values(self, of: Columns) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return masks, differences of moved parts, and literals, by row."""
        found = self._kernel(of).astype(np.float32)
        many, moves = len(self._masks), len(self._moves)
        return found[:many], found[many : many + moves], found[many + moves :]

    def _met(self, masks: np.ndarray, moves: np.ndarray, lits: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return which requirements some of the rows meet."""
        each = masks @ lits.T > 0
        pairs = (lits * masks[0]) @ lits.T > 0 if self._pairs else np.ones((0, 0), dtype=bool)
        return each, moves.any(axis=1), pairs

    def told(self) -> Told:
        chosen, told = self._chosen, Told(self._formula)
        own = columns(chosen.machine, chosen.rows)
        met = [np.zeros((len(self._masks), len(self._literals)), bool), np.zeros(len(self._moves), bool)]
        met.append(np.zeros((len(self._literals),) * 2 if self._pairs else (0, 0), bool))
        met[0][:, ~self._asked] = True
        if chosen.rows:
            told.rows += self._take(met, own)
        there = np.flatnonzero(self._known(chosen.pool)[0]) if self._asked.any() else ()
        if len(there):
            pool = {name: column[there] for name, column in chosen.pool.items()}
            rows = candidates(chosen.machine.named)
            self._add([rows[there[place]] for place in self._take(met, pool)], told)
            self._vary(met, told, pool)
        self._solve(met, told)
        return told

    def left(self) -> tuple[list[str], int]:
        """Return the variants that the chosen rows do not tell apart; see ``Chosen.left``."""
        if not self._asked.any():
            return [], 0  # a constant
        met = self._met(*self._values(columns(self._chosen.machine, self._chosen.rows)))
        found = [self._words(number) for number, one in enumerate(met[0]) if not one[self._asked].any()]
        found += [one.name for one, is_met in zip(self._moved, met[1], strict=True) if not is_met]
        added = sum(int((~one[self._asked]).sum()) for one in met[0] if one.any())
        if self._pairs and met[0][0].any():
            added += sum(not met[2][pair] for pair in self._apart())
        return found, added

    def _add(self, rows: Sequence[Row], told: Told) -> None:
        told.rows += range(len(self._chosen.rows), len(self._chosen.rows) + len(rows))
        self._chosen.rows += rows

    def _vary(self, met: list[np.ndarray], told: Told, of: Columns) -> None:
        """Choose states that differ from those in some flags and numbers."""
        names = set[str]().union(*map(names_in, self._terms[: len(self._masks)]))
        known, many = symbols(self._chosen.machine.named), len(next(iter(of.values())))
        places = self._drawn.integers(0, many, VARIED)
        rates = self._drawn.choice(np.array([0.05, 0.2, 0.5]), VARIED)
        found = {name: column[places] for name, column in of.items()}
        for name, one in known.items():
            if name.startswith(THEN) and name not in names:
                continue  # it matters for few formulas
            often = self._drawn.random(VARIED) < np.where(name in names, rates / 2, rates)
            other = ~found[name] if smt.is_bool(one) else found[name] + self._drawn.integers(-2, 3, VARIED)
            found[name] = np.where(often, other, found[name])
        kept = np.flatnonzero(self._known(found)[0])
        if len(kept):
            pool = {name: column[kept] for name, column in found.items()}
            rows = [{name: int(column[place]) for name, column in pool.items()} for place in self._take(met, pool)]
            self._add(rows, told)

    def _take(self, met: list[np.ndarray], of: Columns) -> list[int]:
        """Choose rows until no other one meets a new requirement; return their places."""
        found = self._values(of)
        masks, moves, lits = found
        left = [now & ~before for before, now in zip(met, self._met(*found), strict=True)]
        taken = []
        while any(one.any() for one in left):
            each, of_moves, pairs = (one.astype(np.float32) for one in left)
            gain = ((each @ lits) * masks).sum(axis=0) + of_moves @ moves
            if self._pairs:
                gain += ((pairs @ lits) * lits).sum(axis=0) * masks[0]
            best = int(gain.argmax())
            taken.append(best)
            new = self._met(*(one[:, best : best + 1] for one in found))
            for place, one in enumerate(new):
                met[place] |= one
                left[place] &= ~one
        return taken

    def _solve(self, met: list[np.ndarray], told: Told) -> None:
        """Let a solver find states for the requirements that are left; those without a state are equivalences."""
        lits = list(self._literals.items())
        for number, mask in enumerate(self._masks):
            told.dropped += 1
            asked = self._asking(mask)
            alone, name = not met[0][number, self._asked].any(), self._words(number)
            if alone and not self._some(told.same, told, name, met, asked):
                continue
            never = set[int]()
            for place, (words, one) in enumerate(lits):
                told.added += bool(self._asked[place])
                if not met[0][number, place]:
                    same = list[str]()
                    self._some(same, told, f"{name}, {words}", met, asked, one)
                    never |= {place} if same else set()
            told.same_added += len(never)
            for place, other in self._apart() if number == 0 and self._pairs else ():
                told.added += 1
                if never & {place, other}:
                    told.same_added += 1
                elif not met[2][place, other]:
                    same, (first, one), (second, two) = list[str](), lits[place], lits[other]
                    self._some(same, told, f"{name}, {first}, {second}", met, asked, one, two)
                    told.same_added += len(same)
        for number, (moved_one, formula) in enumerate(zip(self._moved, self._moves, strict=True)):
            told.dropped += 1
            if not met[1][number]:
                self._some(told.same, told, moved_one.name, met, self._asking(formula))

    def _apart(self) -> Iterator[tuple[int, int]]:
        """Yield the places of any two literals of which one is not the other's negation."""
        many = range(len(self._literals))
        return ((one, other) for one in many for other in range(one) if one ^ 1 != other)

    def _some(
        self, same: list[str], told: Told, words: str, met: list[np.ndarray], asked: Solver, *given: BoolTerm
    ) -> bool:
        """Look for a state, and return whether there is one; note in ``same``, or as open, if there is none."""
        outcome = self._ask(asked, met, told, *given)
        if outcome is not None:
            (same if outcome else told.open).append(words)
        return outcome is None

    def _words(self, number: int) -> str:
        if len(self._masks) % 2:
            number -= 1
        if number < 0:
            return "the action"
        return f"{self._parts[number // 2].name} {'false' if number % 2 == 0 else 'true'}"

    def _asking(self, mask: BoolTerm) -> Solver:
        solver = Solver(SECONDS)
        solver.add(mask)
        return solver

    def _ask(self, solver: Solver, met: list[np.ndarray], told: Told, *given: BoolTerm) -> bool | None:
        """Look for a state; return None if there is one, True if there is none, and False if that is not known."""
        outcome = solver.check(*given)
        if outcome != sat:
            return outcome == unsat
        numbers = [one for one in symbols(self._chosen.machine.named).values() if not smt.is_bool(one)]
        near = [*(one <= NEAR for one in numbers), *(one >= -NEAR for one in numbers)]
        if solver.check(*given, *near) != sat:
            solver.check(*given)
        model, row = solver.model(), dict[str, int]()
        for name, one in symbols(self._chosen.machine.named).items():
            value = model.eval(one, model_completion=True)
            row[name] = value.number if smt.is_int_value(value) else int(smt.is_true(value))
        self._add([row], told)
        one = columns(self._chosen.machine, [row])
        new = self._met(*self._values(one))
        for place, now in enumerate(new):
            met[place] |= now
        self._vary(met, told, one)
        return None
