"""Strategies as users write them, on indexes: right ones, wrong ones, and some that cannot be read."""

import hashlib
from random import random

SEATS = 2


def circle(current_cid, mq_all, cid_all):
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


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
