"""The specification of MACHINE_ROOM: which broker names belong to a room of consumeridcs.

Clients have different rules. A rule depends on three features of a name: the number of ``@``, the number of ``@`` at
the end, and whether the text before the first ``@`` is a room in consumeridcs. So a rule covers every name. ``keeps``
in the encodings is written independently, for each kind of name.
"""

from collections.abc import Callable, Collection
from functools import reduce

from rebalance_proofs.model.terms import smt

ROOM = "room1"
"""The only room in consumeridcs of the consumers that claims are about."""

KINDS = (
    "room1@broker-a",
    "room2@broker-b",
    "broker-c",
    "room1@",
    "room1@broker-d@",
    "room1@broker-e@x",
    "@broker-f",
)
"""One broker name of each kind on which clients may differ, if room1 is in consumeridcs."""

Rule = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
"""``rule(ats, ends, listed)``: true if the client finds a name in a room of consumeridcs.

The arguments are features of the broker name, see ``shape``.
"""


def shape(name: str, rooms: Collection[str]) -> tuple[int, int, int]:
    """Return the three features of a broker name.

    They are the number of ``@``, the number of ``@`` at the end, and 1 if the first part is a listed room, else 0.
    """
    return name.count("@"), len(name) - len(name.rstrip("@")), int(name.partition("@")[0] in rooms)


def java_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Java's rule: ``String.split`` drops empty parts at the end, and two parts must remain."""
    return smt.And(listed == 1, ats - ends == 1)


def go_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Go's rule: ``strings.Split`` drops nothing, and there must be exactly two parts."""
    return smt.And(listed == 1, ats == 1)


def rust_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Rust's rule: there must be exactly two parts, and the part after ``@`` must not be empty."""
    return smt.And(listed == 1, ats == 1, ends == 0)


def of_kind(rule: Rule) -> Callable[[smt.IntTerm], smt.BoolTerm]:
    """Return the rule as a function of the kind of a broker name, an index in ``KINDS``."""
    shapes = [shape(name, (ROOM,)) for name in KINDS]

    def in_room(kind: smt.IntTerm) -> smt.BoolTerm:
        columns = (
            reduce(lambda rest, place: smt.If(kind == place, column[place], rest), range(len(KINDS)), smt.IntVal(-1))
            for column in zip(*shapes, strict=True)
        )
        return rule(*columns)

    return in_room
