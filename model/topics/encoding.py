"""SMT encoding of a strategy over several topics: its lists, and how it divides a list."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt

__all__ = ["TopicsEncoding"]


@dataclass(frozen=True)
class TopicsEncoding(Encoding):
    """Encoding of one list (q: its length; positions: places in it), and the choice of lists."""

    per_topic: bool
    """Whether each topic's queues are a list of their own; otherwise all topics' queues are one list."""

    def takes(
        self,
        c: smt.IntTerm,
        index: smt.IntTerm,
        in_topic: tuple[smt.IntTerm, smt.IntTerm],
        in_all: tuple[smt.IntTerm, smt.IntTerm],
    ) -> smt.BoolTerm:
        """Return the condition that the consumer gets a queue.

        ``in_topic``, ``in_all``: number of queues and place of this queue, in its topic and in all topics.
        """
        q, position = in_topic if self.per_topic else in_all
        return self.owns(q, c, index, position)

    def load(
        self, before: smt.IntTerm, so_far: smt.IntTerm, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm
    ) -> smt.IntTerm:
        """Return the number of queues that the consumer has of all topics when a topic of q queues is added.

        The other topics have ``so_far`` queues, ``before`` of them at this consumer.
        """
        if self.per_topic:
            return before + self.count(q, c, index)
        return self.count(so_far + q, c, index)


def of_each_topic(encoding: Encoding) -> TopicsEncoding:
    """Return the encoding where each topic is divided by ``encoding``."""
    return TopicsEncoding(**vars(encoding), per_topic=True)


def of_one_list(encoding: Encoding) -> TopicsEncoding:
    """Return the encoding where the list of all topics' queues is divided by ``encoding``."""
    return TopicsEncoding(**vars(encoding), per_topic=False)
