"""The number of queues that change hands in a join under AVG, in closed form.

The form is given as terms and as numbers. c is the number of consumers before the join. Sums are doubled to avoid
division by two.
"""

from dataclasses import dataclass

from rebalance_proofs.model.terms import smt


@dataclass(frozen=True)
class Shares:
    """Quotients and remainders of q queues by c and by c + 1 consumers.

    The block (adjacent queues) of index i among c consumers begins at i * a + min(i, m).
    """

    q: smt.IntTerm
    c: smt.IntTerm
    a: smt.IntTerm
    """Quotient of q by c."""
    m: smt.IntTerm
    """Remainder of q by c."""
    mm: smt.IntTerm
    """The square of ``m``."""
    b: smt.IntTerm
    """Quotient of q by c + 1."""
    k: smt.IntTerm
    """Remainder of q by c + 1."""
    kk: smt.IntTerm
    """The square of ``k``."""


def shares(q: smt.IntTerm, c: smt.IntTerm) -> Shares:
    """Return the quotients and remainders for an unknown number c of consumers."""
    m, k = q % c, q % (c + 1)
    return Shares(q, c, q / c, m, m * m, q / (c + 1), k, k * k)


def shares_of(q: smt.IntTerm, consumers: int) -> Shares:
    """Return the quotients and remainders for a given number of consumers.

    Squares are choices between numerals, so that everything is linear.
    """
    m, k = q % consumers, q % (consumers + 1)
    mm, kk = squared(m, consumers - 1), squared(k, consumers)
    return Shares(q, smt.IntVal(consumers), q / consumers, m, mm, q / (consumers + 1), k, kk)


def squared(term: smt.IntTerm, high: int) -> smt.IntTerm:
    """Return the square of a term that is at least 0 and at most ``high``."""
    result = smt.IntVal(high * high)
    for value in range(high - 1, -1, -1):
        result = smt.If(term == value, smt.IntVal(value * value), result)
    return result


def starts(s: Shares, index: smt.IntTerm) -> smt.IntTerm:
    """Return the first position of the block of an index among c consumers; q for the index c."""
    return index * s.a + smt.If(index < s.m, index, s.m)


def least_twice(index: smt.IntTerm, m: smt.IntTerm, mm: smt.IntTerm) -> smt.IntTerm:
    """Return twice the sum of min(y, m) over y = 1 .. index."""
    return smt.If(index <= m, index * (index + 1), 2 * index * m + m - mm)


def last_parts_twice(s: Shares, index: smt.IntTerm) -> smt.IntTerm:
    """Return twice the number of queues after the cuts of the first ``index`` blocks.

    The number for the y-th block is y * (a - b) + min(y, m) - min(y, k). Because (a - b) * (c + 1) = a + k - m, the
    doubled sum of y * (a - b), which is index * (index + 1) * (a - b), has a form without cubic terms at index = c.
    """
    even = index * (s.a + s.k - s.m) - index * (s.c - index) * (s.a - s.b)
    return even + least_twice(index, s.m, s.mm) - least_twice(index, s.k, s.kk)


def by_place_twice(s: Shares, joiner: smt.IntTerm) -> smt.IntTerm:
    """Return twice the part of the number of moved queues that depends on the joiner's index.

    In blocks before the joiner's index, the last parts change hands. From its index on, the first parts do: whole
    blocks minus their last parts.
    """
    return 2 * last_parts_twice(s, joiner) - 2 * starts(s, joiner)


def changed_hands_twice(s: Shares, joiner: smt.IntTerm) -> smt.IntTerm:
    """Return twice the number of queues that change hands in a join."""
    return by_place_twice(s, joiner) + 2 * s.q - last_parts_twice(s, s.c)


def lean(s: Shares) -> smt.IntTerm:
    """Return m * (c - m) - k * (c + 1 - k).

    If the joiner sorts last, it is twice the number of queues that change hands, minus q.
    """
    return s.c * s.m - s.mm - (s.c + 1) * s.k + s.kk


def changed_hands(queues: int, consumers: int, joiner: int) -> int:
    """Return the number of queues that change hands when a consumer joins.

    ``joiner`` is its index; ``consumers`` is the number of the others.
    """
    (a, m), (b, k) = divmod(queues, consumers), divmod(queues, consumers + 1)

    def least_twice(remainder: int) -> int:
        low = min(joiner, remainder)
        return low * (low + 1) + 2 * (joiner - low) * remainder

    last_parts = joiner * (joiner + 1) * (a - b) + least_twice(m) - least_twice(k)
    first, _ = at_ends(queues, consumers)
    return first + last_parts - joiner * a - min(joiner, m)


def at_ends(queues: int, consumers: int) -> tuple[int, int]:
    """Return how many queues change hands if the joiner sorts first, and if it sorts last."""
    m, k = queues % consumers, queues % (consumers + 1)
    lean = m * (consumers - m) - k * (consumers + 1 - k)
    return (queues - lean) // 2, (queues + lean) // 2


def most(queues: int, consumers: int) -> int:
    """Return the largest number of queues that change hands in a join.

    One consumer joins ``consumers`` others.
    """
    return max(at_ends(queues, consumers))
