"""The client's code with the interface of an encoding, for topics of given sizes."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.topics.encoding import TopicsEncoding, bits_of
from rebalance_proofs.model.topics.family import TOPICS
from rebalance_proofs.proofs.allocation.observed import observe, observe_lists
from rebalance_proofs.proofs.numerals import number


@dataclass(frozen=True)
class ObservedTopics(TopicsEncoding):
    """An encoding whose parts, including loads over several topics, run the client's code."""

    strategy: Strategy

    def load(
        self, before: smt.IntTerm, so_far: smt.IntTerm, q: smt.IntTerm, c: smt.IntTerm, index: smt.IntTerm
    ) -> smt.IntTerm:
        """Return a consumer's number of queues over all topics, after one more topic of q queues.

        First a topic of ``so_far`` queues (if any) is allocated, then one of q queues. See ``TopicsEncoding.load``.
        """
        sizes = [number(size) for size in (so_far, q) if number(size)]
        group = TOPICS.group((self.strategy,), number(c), sum(sizes), bits_of(sizes))
        result = group.consumers[number(index)].allocate()
        if self.per_topic:
            last = group.queues[-1].topic
            return before + sum(queue.topic == last for queue in result)
        return smt.IntVal(len(result))


@observe.register
def _topics(encoding: TopicsEncoding, strategy: Strategy) -> ObservedTopics:
    return ObservedTopics(**vars(observe_lists(encoding, strategy)), per_topic=encoding.per_topic, strategy=strategy)
