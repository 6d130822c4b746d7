"""Broker names, and each client's rule for which of them are in a listed room: the specification of MACHINE_ROOM.

A rule depends on three features of a name: how many ``@`` it has, how many of them stand at its end, and whether the
text in front of the first one is a room in consumeridcs. So it covers every name; ``keeps`` of the encodings is written
independently, kind by kind.
"""

from collections.abc import Callable, Collection
from functools import reduce

from rebalance_proofs.model.terms import smt

__all__ = ["KINDS", "ROOM", "Rule", "go_rule", "java_rule", "of_kind", "rust_rule", "shape"]

ROOM = "room1"
"""The room in consumeridcs of the consumers in the groups that claims are about."""

KINDS = (
    "room1@broker-a",
    "room2@broker-b",
    "broker-c",
    "room1@",
    "room1@broker-d@",
    "room1@broker-e@x",
    "@broker-f",
)
"""A broker name of every kind on which clients may differ, for consumers that are configured with room1."""

Rule = Callable[[smt.IntTerm, smt.IntTerm, smt.IntTerm], smt.BoolTerm]
"""``rule(ats, ends, listed)``: a broker with such a name (see ``shape``) is in a listed room."""


def shape(name: str, rooms: Collection[str]) -> tuple[int, int, int]:
    """The features of a name: how many ``@`` it has, how many at its end, and 1 if its first part is listed, else 0."""
    return name.count("@"), len(name) - len(name.rstrip("@")), int(name.partition("@")[0] in rooms)


def java_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Java: ``String.split`` drops empty parts at the end, and two parts have to be left."""
    return smt.And(listed == 1, ats - ends == 1)


def go_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Go: ``strings.Split`` drops nothing, and there have to be two parts."""
    return smt.And(listed == 1, ats == 1)


def rust_rule(ats: smt.IntTerm, ends: smt.IntTerm, listed: smt.IntTerm) -> smt.BoolTerm:
    """Rust: two parts, and the one behind the ``@`` not empty."""
    return smt.And(listed == 1, ats == 1, ends == 0)


def of_kind(rule: Rule) -> Callable[[smt.IntTerm], smt.BoolTerm]:
    """The rule as a function of an index in ``KINDS``."""
    shapes = [shape(name, (ROOM,)) for name in KINDS]

    def in_room(kind: smt.IntTerm) -> smt.BoolTerm:
        columns = (
            reduce(lambda rest, place: smt.If(kind == place, column[place], rest), range(len(KINDS)), smt.IntVal(-1))
            for column in zip(*shapes, strict=True)
        )
        return rule(*columns)

    return in_room
