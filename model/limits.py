"""Base class for records of time limits, each a Python number or a Z3 term."""

from dataclasses import dataclass
from typing import Self

import z3

__all__ = ["AsTerms"]


@dataclass(frozen=True)
class AsTerms:
    """A record of time limits in ms; each field is a number or a Z3 term."""

    def terms(self) -> Self:
        """A copy in which every limit is a Z3 term."""
        return type(self)(
            **{name: value if z3.is_expr(value) else z3.IntVal(value) for name, value in vars(self).items()}
        )
