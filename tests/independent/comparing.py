"""What claims say, as data for the models: verdicts, assumptions, bounds and lengths of shortest runs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.proofs.claim import Claim
from tests.machines.registered import CLAIMS, Declared


@dataclass(frozen=True)
class Said:
    """What a claim says, with the names of its assumptions in a model."""

    machine: Declared
    claim: Claim
    assumed: frozenset[str]

    @property
    def guarantee(self) -> str:
        return self.claim.guarantee.name

    @property
    def client(self) -> str:
        return str(self.claim.subjects[0].name)

    @property
    def limits(self) -> Mapping[str, int]:
        """Limits of the page's explorations for the claim, in ticks."""
        return vars(self.machine.of(self.claim).of_claim(self.claim)[1])

    @property
    def length(self) -> int | None:
        """Number of actions in the shortest run that breaks the claim; None if it holds.

        An observation at the end is no action.
        """
        return None if self.claim.holds else self.machine.length(self.claim) - self.observed

    @property
    def observed(self) -> bool:
        """Whether the page's runs end with an observation, which it counts as an action."""
        return self.machine.of(self.claim).looks

    def bound(self, names: Mapping[str, str]) -> int:
        """Return the value of the time bound in the claim's sentence; ``names``: name in it -> limit."""
        return bound(self.claim.sentence, {name: self.limits[limit] for name, limit in names.items()})


def bound(sentence: str, values: Mapping[str, int]) -> int:
    """Return the value of the only formula in a sentence, such as ``max(a, b) + 2 x c``.

    Raises ``ValueError`` if there is none, or more than one.
    """
    name = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    pieces = rf"(?:{name}|max\(|min\(|[0-9]+ x |\)|, | \+ )+"
    found = {one.strip(", ") for one in re.findall(pieces, sentence) if re.search(name, one)}
    if len(found) != 1:
        raise ValueError(f"no formula, or several: {sorted(found)}: {sentence}")
    formula = re.sub(name, lambda known: str(values[known[0]]), found.pop())
    return int(eval(formula.replace(" x ", "*"), {"__builtins__": {}, "max": max, "min": min}))


def claims(kind: str, sentences: Mapping[str, str]) -> list[Said]:
    """Return what the claims of a page say; ``sentences``: each assumption's words -> its name in the model, or "".

    Raises ``ValueError`` for an assumption that the model does not know.
    """
    return [_said(machine, claim, sentences) for machine, claim in CLAIMS if machine.kind == kind]


def _said(machine: Declared, claim: Claim, sentences: Mapping[str, str]) -> Said:
    if unknown := [one for one in claim.assumes if one not in sentences]:
        raise ValueError(f"{claim.id}: the model does not know the assumption {unknown[0]!r}")
    return Said(machine, claim, frozenset(sentences[one] for one in claim.assumes) - {""})


def difference(said: Said, run: tuple[str, ...] | None, length: int | None) -> str:
    """Describe how a model's shortest run differs from the page's length; empty if it does not."""
    found = None if run is None else len(run)
    return "" if found == length else f"{said.claim.id}: the page finds {length} actions, the model {found}: {run}"
