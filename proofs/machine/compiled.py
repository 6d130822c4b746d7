"""Actions of a machine over a configuration's unknowns: as terms, and compiled to NumPy functions."""

from functools import cache
from typing import Any

from rebalance_proofs.model.machine.machine import Act, Turn
from rebalance_proofs.model.machine.values import And, term
from rebalance_proofs.model.terms.kernel import Kernel, compile_kernel
from rebalance_proofs.proofs.guarded import Guarded
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate
from rebalance_proofs.proofs.machine.world import MachineWorld

__all__ = ["AnyConfiguration", "compiled", "kernel", "turn_of"]

AnyConfiguration = Configuration[Any, Any, Any, Any]


@cache
def turn_of(of: AnyConfiguration, act: Act[Any, Any, Any]) -> Turn[Any]:
    """The action evaluated in a symbolic state, with symbolic choices and limits."""
    return act(*of.symbols)


@cache
def compiled(
    of: AnyConfiguration,
    act: Act[Any, Any, Any],
    name: str = "",
    world: MachineWorld[Any, Any, Any] | None = None,
    fields: tuple[str, ...] | None = None,
) -> Guarded:
    """An action compiled to a NumPy function of all unknowns: its guard, and the successor's values of ``fields``.

    With a world, the guard includes the world's premises. ``fields``: by default all except the time.
    """
    permitted = True if world is None else world.lets(name, *of.symbols)
    can = compile_kernel(of.names, term(And(turn_of(of, act).guard, permitted)))
    return Guarded(can, _after(of, act, of.own if fields is None else fields))


@cache
def _after(of: AnyConfiguration, act: Act[Any, Any, Any], fields: tuple[str, ...]) -> Kernel:
    return compile_kernel(of.names, *(getattr(turn_of(of, act).after, one) for one in fields))


def kernel(of: AnyConfiguration, *predicates: Predicate[Any, Any]) -> Kernel:
    """Predicates on one copy's view, compiled to a NumPy function of all unknowns."""
    state, _, limits = of.symbols
    return compile_kernel(of.names, *(term(one(state, limits)) for one in predicates))
