"""Random numbers beyond any bound that a formula could silently contain."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Draw:
    """The random numbers for one seed; the same seed always gives the same numbers."""

    seed: int

    @cached_property
    def bound(self) -> int:
        """Return a random number above 10^9.

        Goals require unknowns beyond it, and distances of at least this much.
        """
        return random.Random(self.seed).randrange(10**9, 2 * 10**9)

    @cached_property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Return random numbers of queues and of consumers, beyond the bound and up to 10^30.

        Two sizes have far more queues than consumers, and in one of them c divides q. Then come more queues, as many
        queues, and fewer queues than consumers.
        """
        drawn = random.Random(self.seed + 1)
        c = drawn.randrange(self.bound, 10**10)
        k = drawn.randrange(2 * self.bound, 10**10)
        more = drawn.randrange(self.bound, 10**10)
        return ((k * c * c + drawn.randrange(c), c), (k * c, c), (c + more, c), (c, c), (c, c + more))

    def fixed(self, variables: Sequence[str]) -> Iterator[dict[str, int]]:
        """Yield values for q and c, as far as they are among the variables.

        Numerals for these make products linear.
        """
        if {"q", "c"} <= set(variables):
            drawn = [{"q": q, "c": c} for q, c in self.sizes]
            yield from drawn
            if "k" in variables:  # k can be a factor of products too
                yield from (size | {"k": self.sizes[0][0] // 7} for size in drawn)
        elif "c" in variables:
            yield {"c": self.sizes[0][1]}
        else:
            yield {}
