"""A strategy over several topics as integer terms: how a list is divided, and which lists there are."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt

__all__ = ["TopicsEncoding"]


@dataclass(frozen=True)
class TopicsEncoding(Encoding):
    """An ``Encoding`` of one list (q is its length, positions are places in it), and which lists there are."""

    per_topic: bool
    """Whether each topic's queues are a list, divided on its own; otherwise the queues of all topics are one list."""

    def takes(
        self,
        c: smt.IntTerm,
        index: smt.IntTerm,
        in_topic: tuple[smt.IntTerm, smt.IntTerm],
        in_all: tuple[smt.IntTerm, smt.IntTerm],
    ) -> smt.BoolTerm:
        """Whether the consumer gets a queue, given (number of queues, place of this one) for its topic and for all."""
        q, position = in_topic if self.per_topic else in_all
        return self.owns(q, c, index, position)

    def load(
        self, before: smt.IntTerm, so_far: smt.IntTerm, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm
    ) -> smt.IntTerm:
        """How many queues the consumer has of all topics, when a topic of q queues comes behind the others.

        Those have ``so_far`` queues together, of which it had ``before``.
        """
        if self.per_topic:
            return before + self.count(q, c, index)
        return self.count(so_far + q, c, index)


def of_each_topic(encoding: Encoding) -> TopicsEncoding:
    """The encoding in which every topic is divided as ``encoding`` says."""
    return TopicsEncoding(**vars(encoding), per_topic=True)


def of_one_list(encoding: Encoding) -> TopicsEncoding:
    """The encoding in which the list of all topics' queues is divided as ``encoding`` says."""
    return TopicsEncoding(**vars(encoding), per_topic=False)
