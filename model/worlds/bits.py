"""Build worlds whose groups are encoded as bits, such as one bit per consumer."""

from collections.abc import Callable, Mapping
from typing import Any

from rebalance_proofs.model.worlds.groups import Groups, Values


def of_bits(bit: str, bits: Callable[[int], int], **fields: Any) -> Groups:
    """Build a world where ``bits(n)`` bits describe a group of n consumers and any queues.

    The symbolic group's unknowns must be q, the queue's position p, and the bits ``<bit>0``, ``<bit>1``, ...
    ``fields`` are the other fields of ``Groups``. By default, ``admits`` accepts all bit strings, and ``groups``
    counts all of them.
    """

    def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
        return {"q": q, "p": queue} | {f"{bit}{place}": value for place, value in enumerate(values)}

    def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
        return assignment["q"], tuple(assignment[f"{bit}{place}"] for place in range(bits(n)))

    everything = {"admits": lambda n, q, values: True, "groups": lambda n, q: 2 ** bits(n)}
    return Groups(
        radices=lambda n, q: (2,) * bits(n),
        assignment=assignment,
        configuration=configuration,
        **(everything | fields),
    )
