"""SMT encoding of ``allocate4Pop``: which members read which queue in pop mode.

k is popShareQueueNum. There are three cases. Every member reads every queue if k <= 0 or k >= c - 1 ("all"). With at
least as many queues as members, each member reads the queues of k + 1 neighbours ("shared"). With fewer queues than
members, each member reads one queue ("few").
"""

from collections.abc import Callable
from dataclasses import dataclass

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.smt import BoolTerm as Bool
from rebalance_proofs.model.terms.smt import IntTerm as Int


def reads_all(c: Int, k: Int) -> Bool:
    """Return whether every member reads every queue: the first case."""
    return smt.Or(k <= 0, k >= c - 1)


def enough(q: Int, c: Int) -> Bool:
    """Return whether there are at least as many queues as members: the second case if not the first."""
    return c <= q


@dataclass(frozen=True)
class Shared:
    """The second case: what a member reads if members share their queues.

    The arguments q, c and k are as above; ``i`` is a member's index, ``p`` a queue's position.
    """

    reads: Callable[[Int, Int, Int, Int, Int], Bool]
    """``reads(q, c, k, i, p)``: true if the member reads the queue."""
    count: Callable[[Int, Int, Int, Int], Int]
    """``count(q, c, k, i)``: the number of queues that the member reads."""
    element: Callable[[Int, Int, Int, Int, Int], Int]
    """``element(q, c, k, i, n)``: the n-th queue that the member reads, ascending, 0 <= n < count."""
    rank: Callable[[Int, Int, Int, Int, Int], Int]
    """``rank(q, c, k, i, p)``: the inverse of ``element``."""


def inside(q: Int, p: Int) -> Bool:
    """Return whether p is a position of mqAll."""
    return smt.And(0 <= p, p < q)


def wraps(c: Int, k: Int, i: Int) -> Bool:
    """Return whether the k + 1 members from i on include the last and the first one."""
    return i + k >= c


def shared_blocks(inner: Encoding) -> Shared:
    """Return the second case for a strategy whose members own adjacent blocks in the order of their indexes.

    The k + 1 blocks are one interval, or the beginning and the end of mqAll.
    """

    def first(q: Int, c: Int, i: Int) -> Int:
        return inner.element(q, c, i, smt.IntVal(0))

    def last(q: Int, c: Int, k: Int, i: Int) -> Int:
        """Return the end of the last of the k + 1 blocks."""
        index = smt.If(wraps(c, k, i), i + k - c, i + k)
        return inner.element(q, c, index, inner.count(q, c, index))

    def reads(q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        begin, end = first(q, c, i), last(q, c, k, i)
        at_ends = smt.Or(smt.And(0 <= p, p < end), smt.And(begin <= p, p < q))
        return smt.If(wraps(c, k, i), at_ends, smt.And(begin <= p, p < end))

    def count(q: Int, c: Int, k: Int, i: Int) -> Int:
        return last(q, c, k, i) - first(q, c, i) + smt.If(wraps(c, k, i), q, 0)

    def element(q: Int, c: Int, k: Int, i: Int, n: Int) -> Int:
        begin, end = first(q, c, i), last(q, c, k, i)
        return smt.If(wraps(c, k, i), smt.If(n < end, n, begin + n - end), begin + n)

    def rank(q: Int, c: Int, k: Int, i: Int, p: Int) -> Int:
        begin, end = first(q, c, i), last(q, c, k, i)
        return smt.If(wraps(c, k, i), smt.If(p < end, p, end + p - begin), p - begin)

    return Shared(reads, count, element, rank)


def shared_circle() -> Shared:
    """Return the second case for AVG_BY_CIRCLE: the owner of position p is the index p mod c."""

    def reads(q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        return smt.And(inside(q, p), before(c, p % c, i) <= k)

    def count(q: Int, c: Int, k: Int, i: Int) -> Int:
        rest, gone = q % c, i + k - c + 1
        low = smt.If(rest < i, 0, rest - i)
        wrapped = smt.If(rest < gone, rest, gone) + low
        return (k + 1) * (q / c) + smt.If(wraps(c, k, i), wrapped, smt.If(low < k + 1, low, k + 1))

    def element(q: Int, c: Int, k: Int, i: Int, n: Int) -> Int:
        place, gone = n % (k + 1), i + k - c + 1
        wrapped = smt.If(place < gone, place, i + place - gone)
        return c * (n / (k + 1)) + smt.If(wraps(c, k, i), wrapped, i + place)

    def rank(q: Int, c: Int, k: Int, i: Int, p: Int) -> Int:
        place, gone = p % c, i + k - c + 1
        wrapped = smt.If(place < gone, place, gone + place - i)
        return (k + 1) * (p / c) + smt.If(wraps(c, k, i), wrapped, place - i)

    return Shared(reads, count, element, rank)


def before(c: Int, place: Int, steps: Int) -> Int:
    """Return the index that many steps before ``place`` in the circle of c indexes."""
    return smt.If(place < steps, place - steps + c, place - steps)


def pops(retry: Int, requested: Int, default: Int) -> Bool:
    """Return whether members pop a topic; see ``PopEncoding.pops``."""
    return smt.If(smt.Or(retry == 1, requested == 1), smt.BoolVal(False), smt.Or(requested == 2, default == 1))


@dataclass(frozen=True)
class PopEncoding(Encoding):
    """SMT encoding of pop mode over a strategy.

    The inherited parts are the strategy itself, which is the broker's answer in pull mode. The terms have a meaning
    for q >= 1, c >= 1, 0 <= index < c and any k.
    """

    shared_reads: Callable[[Int, Int, Int, Int, Int], Bool]
    shared_count: Callable[[Int, Int, Int, Int], Int]
    shared_element: Callable[[Int, Int, Int, Int, Int], Int]
    shared_rank: Callable[[Int, Int, Int, Int, Int], Int]
    reads_all: Callable[[Int, Int], Bool] = reads_all
    """``reads_all(c, k)``: the condition of the first case."""
    all_reads: Callable[[Int, Int], Bool] = inside
    """``all_reads(q, p)``: true if a member reads the queue in the first case."""
    enough: Callable[[Int, Int], Bool] = enough
    """``enough(q, c)``: the condition of the second case, if not the first."""
    before: Callable[[Int, Int, Int], Int] = before
    """``before(c, place, steps)``: in the second case, the reader number ``steps`` of a queue.

    ``place`` is the queue's owner in pull mode. With a reader for ``steps``, it is the reader's number.
    """
    few_queue: Callable[[Int, Int], Int] = lambda q, i: i % q
    """``few_queue(q, i)``: the queue of a member in the third case."""
    few_count: Callable[[Int, Int, Int], Int] = lambda q, c, i: smt.IntVal(1)
    """``few_count(q, c, i)``: the number of queues of a member in the third case."""
    few_readers: Callable[[Int, Int, Int], Int] = lambda q, c, p: c / q + smt.If(p < c % q, 1, 0)
    """``few_readers(q, c, p)``: the number of readers of a queue in the third case."""
    few_reader: Callable[[Int, Int, Int], Int] = lambda q, p, t: p + t * q
    """``few_reader(q, p, t)``: the queue's reader number t in the third case."""
    few_turn: Callable[[Int, Int], Int] = lambda q, i: i / q
    """``few_turn(q, i)``: the number of a reader in the third case."""
    pops: Callable[[Int, Int, Int], Bool] = pops
    """``pops(retry, requested, default)``: true if members pop the topic.

    ``retry`` is 1 for a retry topic. ``requested`` is the mode in the request to set it: 0 none, 1 PULL, 2 POP.
    ``default`` is 1 if the broker's default mode is POP.
    """
    listed_only: Callable[[Int, Int], Bool] = lambda c, k: smt.Not(reads_all(c, k))
    """``listed_only(c, k)``: true if a member reads queues only if its id is in cidAll."""
    null: Callable[[Int, Int, Int], Bool] = lambda q, c, k: smt.And(q == 0, smt.Not(reads_all(c, k)))
    """``null(q, c, k)``: true if the answer is null, for any q >= 0 and c >= 0."""

    def reads(self, q: Int, c: Int, k: Int, i: Int, p: Int) -> Bool:
        """Return whether the member with index i reads the queue at position p in pop mode."""
        rest = smt.If(self.enough(q, c), self.shared_reads(q, c, k, i, p), self.few_queue(q, i) == p)
        return smt.If(self.reads_all(c, k), self.all_reads(q, p), rest)

    def at(self, k: Int) -> Encoding:
        """Return pop mode with this popShareQueueNum as an encoding of a strategy."""

        def case(c: Int, q: Int, first: Int, shared: Int, few: Int) -> Int:
            return smt.If(self.reads_all(c, k), first, smt.If(self.enough(q, c), shared, few))

        return Encoding(
            owns=lambda q, c, i, p: self.reads(q, c, k, i, p),
            count=lambda q, c, i: case(c, q, q, self.shared_count(q, c, k, i), self.few_count(q, c, i)),
            element=lambda q, c, i, n: case(c, q, n, self.shared_element(q, c, k, i, n), self.few_queue(q, i) + n),
            rank=lambda q, c, i, p: case(c, q, p, self.shared_rank(q, c, k, i, p), p - self.few_queue(q, i)),
            owner=self.owner,
        )


def popping(inner: Encoding, shared: Shared) -> PopEncoding:
    """Return the encoding of pop mode over a strategy. ``shared``: its second case."""
    return PopEncoding(**vars(inner), **{f"shared_{name}": part for name, part in vars(shared).items()})
