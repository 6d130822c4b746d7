"""Mutants of strategies over several topics; each guarantee about topics must reject some."""

from collections.abc import Callable
from dataclasses import replace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.mutant import Mutant
from rebalance_proofs.model.topics.blocks import blocks
from rebalance_proofs.model.topics.encoding import TopicsEncoding


def mutants(right: TopicsEncoding) -> tuple[Mutant, ...]:
    """Return four mutants, with errors that each of these strategies could have."""
    return (
        other_lists(right),
        Mutant(
            "remainder-to-first",
            "A list is cut into blocks, and the first consumer takes the whole remainder.",
            replace(right, **vars(REMAINDER_TO_FIRST)),
            breaks="tilt",
        ),
        Mutant(
            "last-left-out",
            "A list is divided among one consumer too few.",
            seen_as(right, lambda c, index: (smt.If(c > 1, c - 1, 1), index)),
            breaks="tilt" if right.per_topic else "level",
        ),
        Mutant(
            "last-first",
            "Indexes are counted from the last consumer.",
            seen_as(right, lambda c, index: (c, c - 1 - index)),
            breaks="lowest-first",
        ),
    )


def other_lists(right: TopicsEncoding) -> Mutant:
    """Return the mutant that divides one list of all topics instead of one per topic.

    Or the opposite, if the right strategy divides one list.
    """
    if right.per_topic:
        name, sentence, breaks = "one-list", "The queues of all topics are divided as one list.", "attained"
    else:
        name, sentence, breaks = "topic-by-topic", "Every topic is divided on its own.", "level"
    return Mutant(name, sentence, replace(right, per_topic=not right.per_topic), breaks)


def seen_as(
    right: TopicsEncoding, see: Callable[[smt.IntTerm, smt.IntTerm], tuple[smt.IntTerm, smt.IntTerm]]
) -> TopicsEncoding:
    """Return an encoding that computes with another number of consumers and another index.

    ``see(c, index)`` returns both.
    """
    return replace(
        right,
        owns=lambda q, c, index, position: right.owns(q, *see(c, index), position),
        count=lambda q, c, index: right.count(q, *see(c, index)),
        element=lambda q, c, index, k: right.element(q, *see(c, index), k),
        rank=lambda q, c, index, position: right.rank(q, *see(c, index), position),
    )


REMAINDER_TO_FIRST = blocks(
    first=lambda q, c, index: smt.If(index == 0, 0, index * (q / c) + q % c),
    length=lambda q, c, index: smt.If(index == 0, q / c + q % c, q / c),
    owner=lambda q, c, position: smt.If(position < q / c + q % c, 0, (position - q % c) / (q / c)),
)
