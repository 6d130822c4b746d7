"""Where a queue goes, while virtual nodes are put on the ring one after the other: the state that inductions are about.

A state has three variables: whether the queue reaches a node yet, the node's hash value, and whose it is. Everything
is for one queue with the hash value ``h``; queues do not influence each other.
"""

from types import SimpleNamespace

import z3

from model.allocation.ring import Nearest, Node

FIRST = ("found", "x", "o")
"""The state of the one ring that most inductions are about."""
SECOND = ("found2", "x2", "o2")
"""The state of another ring, beside it."""
NEW = ("y", "k")
"""Hash value and consumer of the virtual node that is put next."""


def state(v: SimpleNamespace, names: tuple[str, str, str] = FIRST) -> Nearest:
    """The state with these variables."""
    found, hash_, owner = (getattr(v, name) for name in names)
    return Nearest(found == 1, hash_, owner)


def new_node(v: SimpleNamespace) -> Node:
    """The virtual node that is put next."""
    return Node(v.y, v.k)


def flags(v: SimpleNamespace, *names: str) -> dict[str, z3.BoolRef]:
    """These variables are 0 or 1."""
    return {f"{name} is a truth value": z3.Or(getattr(v, name) == 0, getattr(v, name) == 1) for name in names}


def nearer(queue: z3.ArithRef, one: z3.ArithRef, other: z3.ArithRef) -> z3.BoolRef:
    """Going up from the queue's hash and around the end, the hash ``one`` is met before the hash ``other``."""
    return z3.If((one >= queue) == (other >= queue), one < other, one >= queue)
