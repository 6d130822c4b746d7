"""Closed forms for spaces of groups: how many groups, results, positions and numbers they have."""

from math import prod

from rebalance_proofs.model.premises import Premise

Size = tuple[int, int]
"""(consumers, queues)."""


def sizes(bound: Size) -> list[Size]:
    """Every size up to a bound."""
    return [(n, q) for n in range(1, bound[0] + 1) for q in range(1, bound[1] + 1)]


def groups(premise: Premise, bound: Size) -> int:
    """Groups of up to so many consumers and queues."""
    return sum(premise.groups(n, q) for n, q in sizes(bound))


def results(premise: Premise, bound: Size) -> int:
    """Results of single consumers."""
    return sum(n * premise.groups(n, q) for n, q in sizes(bound))


def code_sum(premise: Premise, bound: Size) -> int:
    """The sum of all numbers from 0 on, one for each digit string."""
    strings = sum(prod(premise.radices(n, q)) for n, q in sizes(bound))
    return strings * (strings - 1) // 2


def positions(premise: Premise, bound: Size) -> int:
    """Positions at which results are compared.

    With the formula of each member, every queue of the topic is, where groups of one size differ. With the compiled
    encoding, every position of the own mqAll is, and one beyond either end, for each consumer that is listed and
    subscribes, where the terms are for any number of queues.
    """
    total = 0
    for n, q in sizes(bound):
        if premise.sized or premise.varied:
            total += premise.groups(n, q) * n * q
        if not premise.sized:
            total += _seen(premise, n, q)
    return total


def _seen(premise: Premise, n: int, q: int) -> int:
    """The lengths of the lists that consumers see, each with two more, over all groups of one size."""
    match premise.name:
        case "own-id-listed" | "same-subscription":
            # of each consumer, half of the bit strings say that it takes part
            return n * 2 ** (n - 1) * (q + 2)
        case "same-mq-all":
            # one list has a queue in two of three kinds; the strings in which all are of one kind are left out
            lengths = 2 * q * 3 ** (q - 1) - q
            return n * (2**n - 2) * (lengths + 2 * (3**q - 2))
    return premise.groups(n, q) * n * (q + 2)
