"""Registry of the checker's rules.

A rule is a function from the formulas of its premises and from its arguments to its conclusion. It raises ``Refused``
if they do not fit. Its docstring is its statement: the premises are true only where the conclusion is.
"""

from collections.abc import Callable, Sequence
from functools import cache, wraps
from importlib import import_module

from rebalance_proofs.proofs.certificates import schemas
from rebalance_proofs.proofs.certificates.schemas import Rule
from rebalance_proofs.proofs.certificates.terms import Refused, Term, Terms

WRITTEN: dict[str, Rule] = {}
"""Rules that are functions, by their names in a proof."""
ANY = -1
"""Any number of premises or arguments."""


def written(name: str, premises: int = 0, arguments: int = 0) -> Callable[[Rule], Rule]:
    """Register a function as the rule of that name, with its numbers of premises and of arguments."""

    def register(function: Rule) -> Rule:
        @wraps(function)
        def apply(terms: Terms, given: Sequence[Term], args: Sequence[Term]) -> Term:
            if premises not in (ANY, len(given)) or arguments not in (ANY, len(args)):
                raise Refused("wrong number of premises or arguments")
            return function(terms, given, args)

        WRITTEN[name] = apply
        return apply

    return register


@cache
def rules() -> dict[str, Rule]:
    """Return all rules by their names."""
    for module in ("arithmetic", "clauses", "equations"):
        import_module(f"rebalance_proofs.proofs.certificates.{module}")  # registers its rules
    return schemas.schemas() | WRITTEN
