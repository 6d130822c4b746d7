"""SMT encoding of a strategy over several topics: which lists it divides, and how."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt


@dataclass(frozen=True)
class TopicsEncoding(Encoding):
    """SMT encoding of a strategy over several topics.

    It encodes how one list of q queues is divided, and which lists there are.
    """

    per_topic: bool
    """Whether each topic's queues are a list of their own.

    Otherwise the queues of all topics are one list.
    """

    def takes(
        self,
        c: smt.IntTerm,
        index: smt.IntTerm,
        in_topic: tuple[smt.IntTerm, smt.IntTerm],
        in_all: tuple[smt.IntTerm, smt.IntTerm],
    ) -> smt.BoolTerm:
        """Return the condition that the consumer gets a queue.

        ``in_topic``, ``in_all``: the number of queues, and the position of the queue among them, in its topic
        and in all topics.
        """
        q, position = in_topic if self.per_topic else in_all
        return self.owns(q, c, index, position)

    def load(
        self, before: smt.IntTerm, so_far: smt.IntTerm, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm
    ) -> smt.IntTerm:
        """Return the consumer's number of queues of all topics after one topic is added.

        The added topic has ``q`` queues. The other topics have ``so_far`` queues; the consumer has ``before``
        of them.
        """
        if self.per_topic:
            return before + self.count(q, c, index)
        return self.count(so_far + q, c, index)


def of_each_topic(encoding: Encoding) -> TopicsEncoding:
    """Return the encoding of a strategy that divides each topic on its own by ``encoding``."""
    return TopicsEncoding(**vars(encoding), per_topic=True)


def of_one_list(encoding: Encoding) -> TopicsEncoding:
    """Return the encoding of a strategy that divides one list of all topics by ``encoding``."""
    return TopicsEncoding(**vars(encoding), per_topic=False)
