"""Limits of time, each a number or a term."""

from dataclasses import dataclass
from typing import Self

import z3

__all__ = ["AsTerms"]


@dataclass(frozen=True)
class AsTerms:
    """A record of them, in ms."""

    def terms(self) -> Self:
        """All of them as terms."""
        return type(self)(
            **{name: value if z3.is_expr(value) else z3.IntVal(value) for name, value in vars(self).items()}
        )
