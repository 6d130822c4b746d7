"""Strategies as users write them: correct ones, and wrong ones of each kind."""

import hashlib


def from_the_end(consumer_group, current_cid, mq_all, cid_all):
    """Contiguous blocks, counted from the end of mqAll."""
    if current_cid not in cid_all:
        return []
    q, c, i = len(mq_all), len(cid_all), cid_all.index(current_cid)
    size, rest = divmod(q, c)
    end = q - i * size - min(i, rest)
    return mq_all[end - size - (i < rest) : end]


def snake(consumer_group, current_cid, mq_all, cid_all):
    """Back and forth: c0 c1 c2 c2 c1 c0 c0 ..."""
    if current_cid not in cid_all:
        return []
    c, i = len(cid_all), cid_all.index(current_cid)
    return [
        queue for place, queue in enumerate(mq_all) if i == (place % c if place // c % 2 == 0 else c - 1 - place % c)
    ]


def remainder_to_the_last(consumer_group, current_cid, mq_all, cid_all):
    if current_cid not in cid_all:
        return []
    q, c, i = len(mq_all), len(cid_all), cid_all.index(current_cid)
    size, rest = divmod(q, c)
    first = i * size + max(0, i - (c - rest))
    return mq_all[first : first + size + (i >= c - rest)]


def rendezvous(current_cid, mq_all, cid_all):
    def score(client_id, queue):
        return hashlib.md5(f"{client_id} {queue.broker_name} {queue.queue_id}".encode()).digest()

    return [queue for queue in mq_all if max(cid_all, key=lambda one: score(one, queue)) == current_cid]


def overlaps(current_cid, mq_all, cid_all):
    i, size = cid_all.index(current_cid), -(-len(mq_all) // len(cid_all))
    return mq_all[i * size : (i + 1) * size + 1]


def forgets_the_remainder(current_cid, mq_all, cid_all):
    i, size = cid_all.index(current_cid), len(mq_all) // len(cid_all)
    return mq_all[i * size : (i + 1) * size]


def gives_the_remainder_to_one(current_cid, mq_all, cid_all):
    i, size = cid_all.index(current_cid), len(mq_all) // len(cid_all)
    return mq_all[i * size :] if i == len(cid_all) - 1 else mq_all[i * size : (i + 1) * size]


def fails_at_one_size(current_cid, mq_all, cid_all):
    found = mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return found[:-1] if (len(mq_all), len(cid_all)) == (37, 6) else found


def reads_queue_ids(current_cid, mq_all, cid_all):
    """Correct on one broker, and wrong on three."""
    i, c, q = cid_all.index(current_cid), len(cid_all), len(mq_all)
    mine = [queue for queue in mq_all if queue.queue_id % c == i]
    return mine if len(mine) in (q // c, -(-q // c)) else []


def reads_ids(current_cid, mq_all, cid_all):
    """Takes the digits of its id as its index."""
    place = int("".join(letter for letter in current_cid if letter.isdigit()) or 0)
    return mq_all[place :: len(cid_all)]


def throws_without_a_queue(current_cid, mq_all, cid_all):
    mine = mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return [mine[0], *mine[1:]]


def never(current_cid, mq_all, cid_all):
    raise NotImplementedError


def foreign(current_cid, mq_all, cid_all):
    mine = mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return mine if len(mq_all) < 3 else [*mine, mq_all[0]._replace(topic="elsewhere")]


def twice(current_cid, mq_all, cid_all):
    mine = mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return [*mine, *mine]


calls = 0


def turns(current_cid, mq_all, cid_all):
    """Gives the larger share to another consumer each time."""
    global calls
    calls += 1
    return mq_all[(cid_all.index(current_cid) + calls // 64) % len(cid_all) :: len(cid_all)]


later = 0


def wrong_after_a_while(current_cid, mq_all, cid_all):
    """Wrong after some calls, as with a full cache or a lock that is never released; independent of the hash seed."""
    global later
    later += 1
    found = mq_all[cid_all.index(current_cid) :: len(cid_all)]
    return found[1:] if later > 200 and (len(mq_all), len(cid_all)) == (5, 5) else found


def goes_by_hashes(current_cid, mq_all, cid_all):
    return [queue for queue in mq_all if cid_all[hash(queue.broker_name) % len(cid_all)] == current_cid]
