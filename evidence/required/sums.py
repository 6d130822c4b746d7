"""Closed forms for the numbers of enumerated groups, results and compared positions."""

from rebalance_proofs.model.worlds.groups import Groups

Size = tuple[int, int]
"""A size of groups: (consumers, queues)."""


def sizes(bound: Size, together: int | None = None) -> list[Size]:
    """Return every size up to a bound, with at most ``together`` consumers plus queues."""
    most = sum(bound) if together is None else together
    return [(n, q) for n in range(1, bound[0] + 1) for q in range(1, min(bound[1], most - n) + 1)]


def groups(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the number of groups that an enumeration up to a bound tries."""
    return sum(world.groups(n, q) for n, q in sizes(bound, together))


def results(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the number of results of single consumers in these groups."""
    return sum(n * world.groups(n, q) for n, q in sizes(bound, together))


def number_sum(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the sum of the numbers of all groups, which are counted from 0."""
    many = groups(world, bound, together)
    return many * (many - 1) // 2


def positions(world: Groups, bound: Size, together: int | None = None) -> int:
    """Return the number of queue positions at which results are compared.

    If groups of one size differ, every queue of the topic is compared with the formula of each member. If the terms
    are for any number of queues, every position of a consumer's mqAll, and one position beyond either end, is
    compared with the compiled encoding. This is done for each consumer that is listed and subscribes.
    """
    total = 0
    for n, q in sizes(bound, together):
        if world.sized or world.varied:
            total += world.groups(n, q) * n * q
        if not world.sized:
            total += _seen(world, n, q)
    return total


def _seen(world: Groups, n: int, q: int) -> int:
    """Return the total length of the consumers' queue lists, plus 2 for each list, at one size."""
    match world.name:
        case "own-id-listed" | "same-subscription":
            # in half of the bit strings a given consumer takes part
            taking_part: int = n * 2 ** (n - 1) * (q + 2)
            return taking_part
        case "same-mq-all":
            # a list has the queues of two of three kinds; strings with an empty list are excluded
            lengths: int = 2 * q * 3 ** (q - 1) - q
            seen: int = n * (2**n - 2) * (lengths + 2 * (3**q - 2))
            return seen
    return world.groups(n, q) * n * (q + 2)
