"""Marks of the ledger's claims by their ids, as the index has them. All answers take their marks from here."""

from collections.abc import Callable, Iterable

from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.index.entries import entry, strategies
from rebalance_proofs.report.mark import Mark

__all__ = ["by_label", "mark_of", "mark_of_strategy", "marks", "of_claims", "together"]


def mark_of(name: str) -> Mark:
    """Mark of the claim with that id. Raises ``LookupError`` if the ledger does not have it."""
    return entry(name).mark


def mark_of_strategy(name: str) -> Mark:
    """Mark of the strategy's code, by its short name; of one that is not RocketMQ's nothing was recorded."""
    return strategies().get(name, Mark.MODEL)


def marks(names: Iterable[str]) -> dict[str, str]:
    """Claim id -> the mark's name in JSON."""
    return {name: mark_of(name).value for name in names}


def together(names: Iterable[str]) -> Mark:
    """One mark for several claims: their common mark; else partly observed if any is observed, or the weakest."""
    found = sorted({mark_of(name) for name in names}, key=tuple(Mark).index)
    return Mark.PART if len(found) > 1 and found[0] in (Mark.SEEN, Mark.PART) else found[-1]


def of_claims(names: Iterable[str], told: Callable[[str], str] = str) -> str:
    """Claims grouped by expected verdict and mark: ``REFUTED, not recorded: offsets.java_v4_9.once``."""
    alike = grouped(names, lambda name: (entry(name).expected, mark_of(name)))
    return "; ".join(f"{verdict}, {mark}: {', '.join(map(told, own))}" for (verdict, mark), own in alike.items())


def by_label(marked: Iterable[tuple[Mark, str]]) -> str:
    """The common mark: ``observed``; else marks with their labels: ``observed: AVG; not recorded: CONFIG``.

    Where claims of one label have several marks, the number of claims with each: ``3 observed, 2 consistent``.
    """
    alike = {mark: [label for _, label in own] for mark, own in grouped(marked, lambda one: one[0]).items()}
    if len(alike) == 1:
        return str(next(iter(alike)))
    ordered = sorted(alike.items(), key=lambda one: tuple(Mark).index(one[0]))
    if sum(len({*labels}) for labels in alike.values()) > len({label for labels in alike.values() for label in labels}):
        return ", ".join(f"{len(labels)} {mark}" for mark, labels in ordered)
    return "; ".join(f"{mark}: {', '.join(dict.fromkeys(labels))}" for mark, labels in ordered)
