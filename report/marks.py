"""Look up the conformance marks of claims by claim id, in the generated index of claims."""

from collections.abc import Callable, Iterable

from rebalance_proofs.report.claims.mark import Mark
from rebalance_proofs.report.index.entries import entry, strategies
from rebalance_proofs.report.text.grouped import grouped


def mark_of(name: str) -> Mark:
    """Return the conformance mark of the claim with that id.

    Raises ``LookupError`` for an unknown id.
    """
    return entry(name).mark


def word_of(name: str) -> str:
    """Return the printed mark of the claim with that id: ``observed``, ``observed in 4 cases``.

    Raises ``LookupError`` for an unknown id.
    """
    return entry(name).word


def mark_of_strategy(name: str) -> Mark:
    """Return the mark of a strategy's code, by the strategy's short name.

    It is "not recorded" for strategies that RocketMQ lacks.
    """
    return strategies().get(name, Mark.MODEL)


def marks(names: Iterable[str]) -> dict[str, str]:
    """Return claim id -> name of its mark in JSON."""
    return {name: mark_of(name).value for name in names}


def together(names: Iterable[str]) -> Mark:
    """Return one conformance mark that stands for several claims.

    It is their common mark; the weaker one if each is observed, often or in few cases; "partly observed" if some claim
    is observed; otherwise the weakest mark.
    """
    found = sorted({mark_of(name) for name in names}, key=tuple(Mark).index)
    observed = (Mark.SEEN, Mark.FEW)
    if all(mark in observed for mark in found):
        return found[-1]
    return Mark.PART if len(found) > 1 and found[0] in (*observed, Mark.PART) else found[-1]


def of_claims(names: Iterable[str], told: Callable[[str], str] = str) -> str:
    """Return claims grouped by expected verdict and mark: ``REFUTED, not recorded: offsets.java_v4_9.once``."""
    alike = grouped(names, lambda name: (entry(name).expected, word_of(name)))
    return "; ".join(f"{verdict}, {mark}: {', '.join(map(told, own))}" for (verdict, mark), own in alike.items())


def by_label(marked: Iterable[tuple[Mark, str]]) -> str:
    """Return the common mark, or marks with labels: ``observed: AVG; consistent: CONFIG``.

    If claims with one label have several marks, return the number of claims with each: ``3 observed, 2 consistent``.
    """
    alike = {mark: [label for _, label in own] for mark, own in grouped(marked, lambda one: one[0]).items()}
    if len(alike) == 1:
        return str(next(iter(alike)))
    ordered = sorted(alike.items(), key=lambda one: tuple(Mark).index(one[0]))
    if sum(len({*labels}) for labels in alike.values()) > len({label for labels in alike.values() for label in labels}):
        return ", ".join(f"{len(labels)} {mark}" for mark, labels in ordered)
    return "; ".join(f"{mark}: {', '.join(dict.fromkeys(labels))}" for mark, labels in ordered)
