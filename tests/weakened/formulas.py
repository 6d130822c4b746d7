"""The formulas that a page declares besides its actions: bad states, ghosts and assumptions, as terms.

Their unknowns have the names of fields. A flag is an unknown truth value, unlike in obligations.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.copies import NOBODY, OTHER
from rebalance_proofs.model.machine.machine import Action, act_of
from rebalance_proofs.model.machine.record import flags, ghosts, naming
from rebalance_proofs.model.machine.values import And, term
from rebalance_proofs.model.machines.offsets.state import Way, counted, watched
from rebalance_proofs.model.offsets.code import OF_MESSAGES
from rebalance_proofs.model.offsets.space import GHOSTS, GHOSTS_IN_ORDER
from rebalance_proofs.model.terms import operators, smt
from rebalance_proofs.model.terms.smt import BoolTerm, Term
from rebalance_proofs.model.terms.solver import Solver, unsat
from rebalance_proofs.proofs.machine.declared import page
from tests.machines.registered import MACHINES, Declared

BAD, GHOST, ALLOWED, TIME, LIMITS = "bad", "ghost", "allowed", "time", "limits"
SORTS = {
    BAD: "bad states",
    GHOST: "ghosts",
    ALLOWED: "assumptions about actions",
    TIME: "assumptions about time",
    LIMITS: "assumptions about limits",
}
"""Sort of formulas -> its plural in the table."""
BY_NAME = {machine.named: machine for machine in MACHINES}
UNTIL = "until"
"""Name of the unknown for the moment until which time passes."""
THEN = "then_"
"""How unknowns for flags after an action begin."""
EVERY = "every"
"""Stands for the action in the name of a ghost's update that the page adds to all actions."""
SHARED = {Way.CONCURRENTLY: watched, Way.ORDERLY: counted, Way.BY_LOOP: watched}
"""Functions of the page of offsets that add the ghost ``taken`` to every action."""
LARGE = 60
"""Subterms of a flag's value that is the encoding of a rebalance, and no formula of a page."""

COMPUTED = {"receiving": ("loops", "stray")}
"""Kind -> numbers that an action computes, whose new values its ghosts compare. Their formulas are the actions'."""
RECORDED = {"offsets": (*GHOSTS, *GHOSTS_IN_ORDER, *OF_MESSAGES)}
"""Kind -> fields that only claims use, although the modelled code records them, too."""


@dataclass(frozen=True, eq=False)
class Formula:
    """A formula of a page, and the states in which its value counts."""

    name: str
    """Such as ``java_v5 ghost takes late``: the client, the sort, and what the formula is about."""
    sort: str
    term: Term
    known: BoolTerm
    """True in the states that count: they are well-formed, and an action's guard holds."""
    formed: BoolTerm
    """True in well-formed states."""
    composed: bool = False
    """Whether the page makes it, for each action, with a function that is a formula of its own."""


def _known(machine: Declared, *more: Any) -> BoolTerm:
    """Return the condition that unknowns are a state of the machine, limits and choices."""
    of = machine.configuration.machine
    state, choices, limits = unknowns(machine)
    formed = of.well_formed(state, limits) if of.well_formed else True
    named = [And(one >= NOBODY, one <= OTHER) for one in (getattr(state, name) for name in naming(of.state))]
    positive = [limit >= 0 for limit in vars(limits).values()]
    return term(And(state.in_range(), choices.in_range(), formed, *named, *positive, *more))


def unknowns(machine: Declared) -> tuple[Any, Any, Any]:
    """Return a state, choices and limits of unknowns."""
    of = machine.configuration.machine
    return of.state.symbols(), of.choices.symbols(), of.limits.symbols()


def _bad(machine: Declared, client: Any) -> Iterator[tuple[str, Term]]:
    state, _, limits = unknowns(machine)
    for name, found in page(machine.kind).properties[client.name].items():
        for words, bad in (("", found.bad), (" observed", found.observed), (" hopeless", found.hopeless)):
            if bad:
                yield f"{name}{words}", term(bad(state, limits))
        for place, bound in enumerate(found.bounds):
            yield f"{name} bound{place or ''}", term(bound.exceeded(state, limits))
        for one in found.claims if found.proof else ():
            other = found.proof(one.world).bad if one.holds else None
            if other:
                yield f"{name} {one.world.name}", term(other(state, limits))


def _term(value: Any) -> Term:
    if smt.is_expr(value):
        return value
    return smt.BoolVal(value) if isinstance(value, bool) else smt.IntVal(value)


def _stays(after: Any, before: Term) -> bool:
    """Return whether a field stays as it is, whatever a condition says."""
    if smt.is_expr(after) and after.kind == operators.ITE:
        return all(_stays(one, before) for one in after.children[1:])
    return after is before


def _then(name: str, like: Term) -> Term:
    return smt.Bool(f"{THEN}{name}") if smt.is_bool(like) else smt.Int(f"{THEN}{name}")


def _opaque(value: Term, after: Any, recorded: Collection[str], numbers: Collection[str]) -> Term:
    """Return a ghost's value with an unknown in place of each flag that an encoding of a rebalance gives.

    ``numbers``: further fields whose new values are unknowns, unless they stay as they are.
    """
    given = ((name, getattr(after, name)) for name in flags(type(after)) if name not in recorded)
    large = [(one, _then(name, one)) for name, one in given if smt.is_expr(one) and len(smt.subterms(one)) > LARGE]
    computed = ((name, _term(getattr(after, name))) for name in numbers)
    large += [(one, _then(name, one)) for name, one in computed if len(smt.subterms(one)) > 1]
    return smt.substitute(value, *large) if large else value


def _shared(machine: Declared, client: Any, recorded: Collection[str]) -> Iterator[tuple[str, Term]]:
    """Yield updates of ghosts that one function of the page adds to every action, by the ghosts' names."""
    if machine.kind == "offsets":
        state, choices, limits = unknowns(machine)
        after = {name: _then(name, one) for name, one in vars(state.terms()).items() if name not in recorded}
        probe = Action(EVERY, "", lambda *given: (True, after), lambda *given: "", (), 0, lambda variant: True)
        _, changes = SHARED[client.way](probe).effect(state, choices, limits, client)
        yield "taken", _term(changes["taken"])


def _excludes(known: BoolTerm, allowed: Term) -> bool:
    """Return whether an assumption excludes the action in a state in which it is possible."""
    solver = Solver()
    solver.add(known, smt.Not(allowed))
    return solver.check() != unsat


def _of(machine: Declared, client: Any) -> Iterator[tuple[str, str, Term, BoolTerm]]:
    of = machine.configuration.machine
    state, _, limits = given = unknowns(machine)
    known = _known(machine)
    yield from ((BAD, name, found, known) for name, found in _bad(machine, client))
    actions = [name for name, action in of.actions.items() if action.has(client)]
    recorded = {*ghosts(of.state), *RECORDED.get(machine.kind, ())}
    numbers = COMPUTED.get(machine.kind, ())
    turns = {name: act_of(client.encoding, name)(*given) for name in actions}
    possible = {name: smt.And(known, term(turn.guard)) for name, turn in turns.items()}
    for action, turn in turns.items():
        for name in sorted(recorded):
            after = getattr(turn.after, name)
            if not _stays(after, getattr(state, name)):
                yield GHOST, f"{action} {name}", _opaque(_term(after), turn.after, recorded, numbers), possible[action]
    yield from ((GHOST, f"{EVERY} {name}", update, known) for name, update in _shared(machine, client, recorded))
    worlds = dict.fromkeys(one.world for one in machine.claims if one.subjects == (client,))
    until = smt.Int(UNTIL)
    for world in (one.beside(client.encoding) for one in worlds):
        for action in actions:
            if action not in world.excludes:
                allowed = term(world.allows(action, *given))
                yield ALLOWED, f"{world.name} {action}", allowed, possible[action]
                alone = term(world.isolated(action, *given))
                yield ALLOWED, f"{world.name} {action} alone", alone, possible[action]
        if machine.configuration.clock:
            yield TIME, world.name, term(world.waits(state, until, limits)), known
        yield LIMITS, world.name, term(And(*world.given(limits).values())), smt.BoolVal(True)


@cache
def formulas(name: str) -> tuple[Formula, ...]:
    """Return the formulas of the machine of this name: of equal ones, the first."""
    machine = BY_NAME[name]
    found: dict[tuple[Term, BoolTerm], Formula] = {}
    formed = _known(machine)
    excludes = cache(_excludes)
    for client in machine.clients:
        shared = {name.rpartition(" ")[2] for sort, name, *_ in _of(machine, client) if name.startswith(f"{EVERY} ")}
        for sort, name, one, known in _of(machine, client):
            if sort == GHOST or one.kind not in (operators.TRUE, operators.FALSE):
                if sort == ALLOWED and not excludes(known, one):
                    continue
                action, _, about = name.partition(" ")
                composed = sort == GHOST and about in shared and action != EVERY
                formula = Formula(f"{client.name} {sort} {name}", sort, one, known, formed, composed)
                found.setdefault((one, known), formula)
    return tuple(found.values())
