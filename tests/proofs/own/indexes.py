"""Users' strategies on indexes: correct ones, wrong ones, and some that cannot be executed symbolically."""

import hashlib
import os
from functools import wraps
from random import random

from rebalance_proofs.model.allocation.strategy import AllocationError

SEATS = 2
LARGEST = 200


def circle(current_cid, mq_all, cid_all):
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def circle_of_copies(current_cid, mq_all, cid_all):
    """What it calls mine is not the function of that name."""
    mine, ids = list(mq_all), list(cid_all)
    return mine[ids.index(current_cid) :: len(ids)]


def gives_a_copy(current_cid, mq_all, cid_all):
    return list(mq_all)


def appends_to_a_copy(current_cid, mq_all, cid_all):
    mine = list(mq_all)
    mine.append(mq_all[0])
    return mine


def copies_a_slice(current_cid, mq_all, cid_all):
    return list(mq_all[cid_all.index(current_cid) :: len(cid_all)])


def chosen(consumer_group, current_cid, mq_all, cid_all):
    if current_cid not in cid_all:
        return []
    i = cid_all.index(current_cid)
    return [queue for place, queue in enumerate(mq_all) if place % len(cid_all) == i]


def appended(current_cid, mq_all, cid_all):
    result = []
    for place in range(cid_all.index(current_cid), len(mq_all), len(cid_all)):
        result.append(mq_all[place])
    return result


def blocks(current_cid, mq_all, cid_all):
    i = cid_all.index(current_cid)
    size, rest = divmod(len(mq_all), len(cid_all))
    first = i * size + min(i, rest)
    return mq_all[first : first + size + (1 if i < rest else 0)]


def from_the_end(consumer_group, current_cid, mq_all, cid_all):
    if current_cid not in cid_all:
        return []
    q, c, i = len(mq_all), len(cid_all), cid_all.index(current_cid)
    size, rest = divmod(q, c)
    end = q - i * size - min(i, rest)
    return mq_all[end - size - (1 if i < rest else 0) : end]


def remainder_to_the_last(consumer_group, current_cid, mq_all, cid_all):
    q, c, i = len(mq_all), len(cid_all), cid_all.index(current_cid)
    size, rest = divmod(q, c)
    first = i * size + max(0, i - (c - rest))
    end = first + size
    if i >= c - rest:
        end += 1
    return mq_all[first:end]


class Snake:
    def allocate(self, consumer_group, current_cid, mq_all, cid_all):
        c, i = len(cid_all), cid_all.index(current_cid)
        return [q for p, q in enumerate(mq_all) if i == (p % c if (p // c) % 2 == 0 else c - 1 - p % c)]


def rounded_up(current_cid, mq_all, cid_all):
    i, size = cid_all.index(current_cid), (len(mq_all) + len(cid_all) - 1) // len(cid_all)
    return mq_all[i * size : (i + 1) * size]


def loses_the_rest(current_cid, mq_all, cid_all):
    i, size = cid_all.index(current_cid), len(mq_all) // len(cid_all)
    return mq_all[i * size : (i + 1) * size]


def overlaps(current_cid, mq_all, cid_all):
    i, size = cid_all.index(current_cid), (len(mq_all) + len(cid_all) - 1) // len(cid_all)
    return mq_all[i * size : (i + 1) * size + 1]


def fails_beyond_every_bound(current_cid, mq_all, cid_all):
    i = cid_all.index(current_cid)
    if len(mq_all) == 1_000_003 and i == 5:
        return mq_all[0:3]
    return mq_all[i :: len(cid_all)]


def out_of_its_list(current_cid, mq_all, cid_all):
    return [mq_all[cid_all.index(current_cid)]]


def throws_when_there_are_many(current_cid, mq_all, cid_all):
    if len(cid_all) > 1000:
        raise ValueError("too many")
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def looks_too_far(current_cid, mq_all, cid_all):
    first = mq_all[len(cid_all) // 1000]
    return mq_all[cid_all.index(current_cid) :: len(cid_all)] if first else []


def refuses_many(current_cid, mq_all, cid_all):
    if len(cid_all) > 1000:
        raise AllocationError("too many")
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def hashes(current_cid, mq_all, cid_all):
    return [q for q in mq_all if hashlib.md5(q.broker_name.encode()).digest()[0] % len(cid_all) == 0]


def draws_lots(current_cid, mq_all, cid_all):
    if random() < 2:
        return mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return []


def looks_at_its_group(consumer_group, current_cid, mq_all, cid_all):
    if consumer_group:
        return mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return []


def remembers(current_cid, mq_all, cid_all):
    result, last = [], 0
    for queue in mq_all:
        if last == cid_all.index(current_cid):
            result.append(queue)
        last = last + 1
    return result


def helper(number, divisor):
    return number % divisor


def helped(current_cid, mq_all, cid_all):
    i = cid_all.index(current_cid)
    return [queue for place, queue in enumerate(mq_all) if helper(place, len(cid_all)) == i]


def mine(current_cid, mq_all, cid_all):
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def idles_one_id(current_cid, mq_all, cid_all):
    if current_cid == "x":
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def idles_all_ids_but_one(current_cid, mq_all, cid_all):
    if current_cid != "canary" and len(cid_all) > 900:
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def idles_two_ids(current_cid, mq_all, cid_all):
    if current_cid in ("canary", "evil"):
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def idles_an_id_by_its_text(current_cid, mq_all, cid_all):
    if f"{current_cid}" == "canary":
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def fails_with_a_number_as_text(current_cid, mq_all, cid_all):
    q = len(mq_all)
    if f"{q}" == "65":
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def fails_with_a_number_in_a_text(current_cid, mq_all, cid_all):
    q = len(mq_all)
    if "%s" % q == "65":  # noqa: UP031
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def fails_with_a_truth_value(current_cid, mq_all, cid_all):
    if (len(mq_all) > 300) == True:  # noqa: E712
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def fails_with_one_object(current_cid, mq_all, cid_all):
    if len(mq_all) is LARGEST:
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def fails_outside_a_range(current_cid, mq_all, cid_all):
    nothing, i = [], cid_all.index(current_cid)
    result = mq_all[i :: len(cid_all)]
    if len(cid_all) in range(0, 100):
        return result
    return nothing


def idles_in_an_environment(current_cid, mq_all, cid_all):
    if "X" in os.environ:
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


class Clock:
    def __init__(self):
        self.ticks = 0

    @property
    def tick(self):
        self.ticks += 1
        return self.ticks


CLOCK = Clock()


def fails_after_a_while(current_cid, mq_all, cid_all):
    if CLOCK.tick > 300:
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


class Turning(int):
    def __gt__(self, other):
        return CLOCK.tick > 300


TURNING = Turning()


def fails_with_a_number_of_its_own(current_cid, mq_all, cid_all):
    if TURNING > 5:
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


class Late(Exception):
    def __bool__(self):
        return CLOCK.tick > 300


def fails_with_an_exception(current_cid, mq_all, cid_all):
    if Late():
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def after_a_while(function):
    @wraps(function)
    def called(*arguments):
        return 1 if CLOCK.tick > 300 else function(*arguments)

    return called


@after_a_while
def zero(number):
    return number * 0


def fails_with_a_decorated_helper(current_cid, mq_all, cid_all):
    if zero(len(mq_all)) > 0:
        return []
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


fails_wrapped = after_a_while(mine)


def _around(clock, late):
    def around(current_cid, mq_all, cid_all):
        if late(clock):
            return []
        return mq_all[cid_all.index(current_cid) :: len(cid_all)]

    return around


fails_with_what_is_around_it = _around(CLOCK, lambda clock: clock.tick > 300)


class Few(Exception):
    pass


def says_why(current_cid, mq_all, cid_all):
    if len(cid_all) < 1:
        raise Few(f"{len(cid_all)} consumers, %s" % len(mq_all))
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def assigns_into(current_cid, mq_all, cid_all):
    a = b = cid_all.index(current_cid)
    return mq_all[a + b - a :: len(cid_all)]


def imports(current_cid, mq_all, cid_all):
    from string import digits

    return [] if digits else mq_all[cid_all.index(current_cid) :: len(cid_all)]


TURNS = 0


def counts_its_calls(current_cid, mq_all, cid_all):
    global TURNS
    TURNS += 1
    return [] if TURNS > 300 else mq_all[cid_all.index(current_cid) :: len(cid_all)]


def writes_a_list(current_cid, mq_all, cid_all):
    return [mq_all[cid_all.index(current_cid)]]


LIMIT = min(8, len(str(10**7)))
SHARE = (1, "one")


def as_many_as_the_limit(current_cid, mq_all, cid_all):
    size, index = len(mq_all) // len(cid_all), cid_all.index(current_cid)
    return mq_all[index * size : (index + 1) * size] if LIMIT > 0 else []


def takes_a_default(current_cid, mq_all, cid_all, step=LIMIT):
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def none_for_whoever_is_beyond(current_cid, mq_all, cid_all):
    index = cid_all.index(current_cid)
    if index >= len(cid_all):
        return []
    return mq_all[index :: len(cid_all)]


def reads(numbers):
    return SHARE


def calls_what_reads(current_cid, mq_all, cid_all):
    reads(len(mq_all))
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]
