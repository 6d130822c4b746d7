"""The broker's code with the interface of a pop encoding: each part runs the code for given numbers."""

from collections.abc import Sequence

from rebalance_proofs.model.allocation.strategy import AllocationError, Strategy
from rebalance_proofs.model.assignment import broker, pulled
from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.group import client_ids
from rebalance_proofs.model.queues import one_broker, positions_in
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int
from rebalance_proofs.model.worlds.assignments import GROUP, REQUESTED, processor
from rebalance_proofs.proofs.allocation.observed import observe, observe_lists
from rebalance_proofs.proofs.named import number

STRANGER = "z"
"""A client id that is in no list."""


@observe.register
def _pop(encoding: PopEncoding, strategy: Strategy) -> PopEncoding:
    inner = pulled(strategy)

    def read(q: int, c: int, k: int, i: int) -> list[int]:
        queues, ids = one_broker(q), client_ids(c)
        return positions_in(queues, strategy.configured(share=k).allocate(ids[i], queues, ids) or ())

    def reads(q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        return smt.BoolVal(number(p) in read(*map(number, (q, c, k, i))))

    def count(q: Int, c: Int, k: Int, i: Int) -> Int:
        return smt.IntVal(len(read(*map(number, (q, c, k, i)))))

    def element(q: Int, c: Int, k: Int, i: Int, n: Int) -> Int:
        return _at(read(*map(number, (q, c, k, i))), number(n))

    def rank(q: Int, c: Int, k: Int, i: Int, p: Int) -> Int:
        return _place(read(*map(number, (q, c, k, i))), number(p))

    def all_queues(c: Int, k: Int) -> Bool:
        answer = broker.allocate_4_pop(inner.allocate, "c0", one_broker(1), client_ids(number(c)), number(k))
        return smt.BoolVal(answer[0].queue_id == broker.ALL_QUEUES)

    def of_few(q: int, c: int) -> list[list[int]]:
        """Return what each member reads with few queues; nothing if the sizes are those of another case."""
        return [read(q, c, 1, i) for i in range(c)] if q < c and c > 2 else []

    def few_queue(q: Int, i: Int) -> Int:
        return smt.IntVal(of_few(number(q), max(number(i), number(q), 2) + 1)[number(i)][0])

    def readers(q: int, c: int, p: int) -> list[int]:
        return [i for i, queues in enumerate(of_few(q, c)) if p in queues]

    def few_reader(q: Int, p: Int, t: Int) -> Int:
        c = (number(t) + 1) * number(q) + number(p) + 3
        return _at(readers(number(q), c, number(p)), number(t))

    def few_turn(q: Int, i: Int) -> Int:
        c = max(number(i), number(q), 2) + 1
        return _place(readers(number(q), c, of_few(number(q), c)[number(i)][0]), number(i))

    def few_count(q: Int, c: Int, i: Int) -> Int:
        every = of_few(number(q), number(c))
        return smt.IntVal(len(every[number(i)]) if every else 0)

    def pops(retry: Int, requested: Int, default: Int) -> Bool:
        topic = f"{broker.RETRY_GROUP_TOPIC_PREFIX}{GROUP}" if number(retry) == 1 else "T"
        asked = processor(topic, one_broker(1, topic), ("c0",), REQUESTED[number(requested)], number(default), 1)
        return smt.BoolVal(asked.request_mode(topic, GROUP).mode == broker.POP)

    def answer(client_id: str, q: Int, c: Int, k: Int) -> Sequence[object] | None:
        """Return what a member reads; None if the broker throws, and so answers with null."""
        try:
            reads_of = strategy.configured(share=number(k)).allocate
            return reads_of(client_id, one_broker(number(q)), client_ids(number(c)))
        except AllocationError:
            return None

    def listed_only(c: Int, k: Int) -> Bool:
        return smt.BoolVal(not any(answer(STRANGER, smt.IntVal(q), c, k) for q in (1, number(c))))

    return PopEncoding(
        **vars(observe_lists(encoding, inner)),
        shared_reads=reads,
        shared_count=count,
        shared_element=element,
        shared_rank=rank,
        reads_all=all_queues,
        all_reads=lambda q, p: smt.BoolVal(number(p) in read(number(q), 1, 0, 0)),
        enough=lambda q, c: smt.BoolVal(not of_few(number(q), max(number(c), 3))),
        few_queue=few_queue,
        few_count=few_count,
        few_readers=lambda q, c, p: smt.IntVal(len(readers(number(q), number(c), number(p)))),
        few_reader=few_reader,
        few_turn=few_turn,
        pops=pops,
        listed_only=listed_only,
        null=lambda q, c, k: smt.BoolVal(answer("c0", q, c, k) is None),
    )


def _at(listed: list[int], n: int) -> Int:
    return smt.IntVal(listed[n] if 0 <= n < len(listed) else -1)


def _place(listed: list[int], one: int) -> Int:
    return smt.IntVal(listed.index(one) if one in listed else -1)
