"""Z3 terms as plain Python objects, for fast traversal of large terms.

For each child ``z3.ExprRef.children`` makes some twenty library calls, to build an object of the right sort. Here it is
four, of the low-level functions that z3py itself is made of.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import cast

import z3

__all__ = ["Node", "Reader"]


@dataclass(eq=False, slots=True)
class Node:
    """One term: an application of an operator, or a numeral. A reader makes one node of equal terms."""

    kind: int
    """The operator, as ``z3.Z3_OP_...``; of a numeral ``z3.Z3_OP_ANUM``."""
    children: tuple["Node", ...]
    _address: z3.Ast = field(repr=False)
    _context: z3.Context = field(repr=False)

    @property
    def name(self) -> str:
        """Name of the operator, the function or the unknown."""
        return self.term.decl().name()

    @property
    def number(self) -> int:
        """The value of a numeral."""
        return cast(z3.IntNumRef, self.term).as_long()

    @property
    def term(self) -> z3.ExprRef:
        """The term as a z3py object."""
        return z3.z3._to_expr_ref(self._address, self._context)


class Reader:
    """Reader of the terms of one Z3 context. It keeps them alive, because their addresses identify them."""

    def __init__(self) -> None:
        self._known: dict[int, Node] = {}
        self._kept: list[z3.ExprRef] = []

    @property
    def nodes(self) -> Collection[Node]:
        """All nodes made so far, each once."""
        return self._known.values()

    def read(self, term: z3.ExprRef) -> Node:
        """The node of the term, whose subterms are its descendants."""
        self._kept.append(term)
        return self._node(term.as_ast(), term.ctx, term.ctx.ref())

    def _node(self, address: z3.Ast, context: z3.Context, reference: z3.ContextObj) -> Node:
        found = self._known.get(address.value)
        if found is None:
            children = tuple(
                self._node(z3.Z3_get_app_arg(reference, address, place), context, reference)
                for place in range(z3.Z3_get_app_num_args(reference, address))
            )
            kind = z3.Z3_get_decl_kind(reference, z3.Z3_get_app_decl(reference, address))
            found = self._known[address.value] = Node(kind, children, address, context)
        return found
