"""Registry of the kinds of claims.

To add a kind, write its package, and name it here, in ``spark_enum.kinds`` and ``report.kinds``.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, TypeVar, cast

from rebalance_proofs.model.subject import Subject
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.search import Looking

# A registry that imports each of its objects on first use.
# A query about one claim therefore does not import all kinds of claims.

Row = TypeVar("Row")


def imported(place: str) -> Any:
    """Return the object with the dotted name ``package.module.NAME``."""
    module, _, member = place.rpartition(".")
    return getattr(import_module(module), member)


class Table(MutableMapping[str, Row]):
    """Mapping from names to objects; each object is given as the text ``package.module.NAME``.

    With ``package.module.function:name``, the object is what the function returns for the name. A user-defined object
    is given as the object itself.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._rows: dict[str, Row] = {}

    def __getitem__(self, name: str) -> Row:
        """Return the object with this name, importing it on first use.

        Raises ``KeyError`` for a name that is not in the table.
        """
        if name not in self._rows:
            place, called, argument = self._places[name].partition(":")
            found = imported(place)
            self._rows[name] = cast("Row", found(argument) if called else found)
        return self._rows[name]

    def __setitem__(self, name: str, row: Row) -> None:
        """Set the object with this name."""
        self._places.setdefault(name, "")
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        """Remove the name. Raises ``KeyError`` for a name that is not in the table."""
        del self._places[name]
        self._rows.pop(name, None)

    def __contains__(self, name: object) -> bool:
        """Return whether the name is in the table, without importing anything."""
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in the order of the table."""
        return iter(self._places)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._places)


# Interface between the engine and a kind of claims; the engine knows no kind by name.
# A kind has a type of environment of its own, and its own searches: allocation, transition, offsets, and so on.


@dataclass(frozen=True)
class Kind:
    """One kind of claims, such as claims about allocation, or about rebalances."""

    claims: Callable[[], Sequence[Claim]]
    """Return all claims of the kind, in the order of the ledger."""
    looking: Callable[..., Looking]
    """``looking(claim, pool)``: return the search for a violation of the claim.

    ``looking(claim, pool, mutant)`` searches for a violation by the mutant. ``pool`` has the solvers.
    """
    observed: Callable[[Any], Any]
    """``observed(subject)``: return an encoding that runs the subject's code on numerals."""
    mistaken: Callable[[Claim, Mutant, Mapping[str, int], Sequence[int]], str | None]
    """``mistaken(claim, mutant, model, size)``: the violation that the claim's own check finds for a mutant.

    A mutant is a wrong formula. It is evaluated for a solver's model of that size, in which it violates the guarantee.
    None if the check finds no violation.
    """
    slips: Callable[[Any], tuple[Mutant, ...]] = lambda encoding: ()
    """``slips(encoding)``: return mutants of the encoding, each with an error in one part.

    The obligations of some claim must fail for each of them.
    """
    rooms: Mapping[str, Callable[[], Sequence[Claim]]] = field(default_factory=dict)
    """First part of an id -> the claims whose ids begin with it.

    Used by kinds whose ids begin with different words. The order is that of the ledger.
    """

    def wrong(self, subject: Subject, first: Sequence[Mutant] = ()) -> tuple[Mutant, ...]:
        """Return all known mutants of the subject's encoding (encodings with one deliberate error).

        The mutants in ``first`` come first, then those with an error in one part, then the others.
        """
        return (*first, *self.slips(subject.encoding), *(one for one in subject.mutants if one not in first))


KINDS: Mapping[str, Kind] = Table(
    {
        "allocation": "rebalance_proofs.proofs.allocation.kind.ALLOCATION",
        "transition": "rebalance_proofs.proofs.transition.kind.TRANSITION",
        "ordered": "rebalance_proofs.proofs.machine.declared.kind:ordered",
        "offsets": "rebalance_proofs.proofs.machine.declared.kind:offsets",
        "pulls": "rebalance_proofs.proofs.machine.declared.kind:pulls",
        "settling": "rebalance_proofs.proofs.machine.declared.kind:settling",
        "subscriptions": "rebalance_proofs.proofs.machine.declared.kind:subscriptions",
        "registry": "rebalance_proofs.proofs.machine.declared.kind:registry",
        "receiving": "rebalance_proofs.proofs.machine.declared.kind:receiving",
    }
)
"""Name of a kind -> the kind (``Kind``).

Claims, counterexamples and reports refer to kinds by these names.
"""

ROOMS: Mapping[str, str] = {
    "allocation": "allocation",
    **dict.fromkeys(("movement", "growth", "joins", "topics", "assignment", "clients", "code"), "allocation"),
    **{kind: kind for kind in KINDS},
}
"""First part of an id -> the name of the kind of all claims whose ids begin with it.

The ledger lists claims in this order.
"""
