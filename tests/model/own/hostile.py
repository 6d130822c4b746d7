"""Misbehaving strategies, one for each kind of misbehaviour."""

import ctypes
import os
import random
import sys
import time
from collections import namedtuple
from contextlib import suppress

Ours = namedtuple("Ours", "topic broker_name queue_id")


def throws(consumer_group, current_cid, mq_all, cid_all):
    return [mq_all[len(mq_all)]]


def throws_what_nobody_catches(consumer_group, current_cid, mq_all, cid_all):
    raise KeyboardInterrupt


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError


def throws_unspeakably(consumer_group, current_cid, mq_all, cid_all):
    raise Unspeakable


def recurses(consumer_group, current_cid, mq_all, cid_all):
    return recurses(consumer_group, current_cid, mq_all, cid_all)


def hangs(consumer_group, current_cid, mq_all, cid_all):
    while True:
        pass


def hangs_with_three(consumer_group, current_cid, mq_all, cid_all):
    while len(cid_all) == 3:
        pass
    return mq_all[cid_all.index(current_cid) :: len(cid_all)]


def hangs_on(consumer_group, current_cid, mq_all, cid_all):
    while True:
        with suppress(BaseException):
            time.sleep(60)


def exits(consumer_group, current_cid, mq_all, cid_all):
    sys.exit(3)


def exits_at_once(consumer_group, current_cid, mq_all, cid_all):
    os._exit(4)


def crashes(consumer_group, current_cid, mq_all, cid_all):
    ctypes.string_at(0)


def eats_memory(consumer_group, current_cid, mq_all, cid_all):
    eaten = []
    while True:
        eaten.append(bytearray(10**7))


def gives_null(consumer_group, current_cid, mq_all, cid_all):
    return None


def gives_a_set(consumer_group, current_cid, mq_all, cid_all):
    return set(mq_all)


def gives_one_queue(consumer_group, current_cid, mq_all, cid_all):
    return mq_all[0]


def gives_positions(consumer_group, current_cid, mq_all, cid_all):
    return list(range(len(mq_all)))


def gives_a_null_queue(consumer_group, current_cid, mq_all, cid_all):
    return [None, *mq_all]


def gives_a_foreign_queue(consumer_group, current_cid, mq_all, cid_all):
    return [*mq_all, mq_all[0]._replace(broker_name="elsewhere")]


def gives_duplicates(consumer_group, current_cid, mq_all, cid_all):
    return [*mq_all, mq_all[0]]


def gives_its_own_kind(consumer_group, current_cid, mq_all, cid_all):
    return [Ours(*queue) for queue in mq_all]


def changes_mq_all(consumer_group, current_cid, mq_all, cid_all):
    mq_all.reverse()
    return mq_all


def changes_cid_all(consumer_group, current_cid, mq_all, cid_all):
    cid_all.append("c9")
    return mq_all


def prints(consumer_group, current_cid, mq_all, cid_all):
    print("first\nsecond\nthird\nfourth")
    print("also on stderr", file=sys.stderr)
    return mq_all


def writes(consumer_group, current_cid, mq_all, cid_all):
    os.write(1, b"straight to the file\n")
    return mq_all


def prints_for_ever(consumer_group, current_cid, mq_all, cid_all):
    while True:
        print("x" * 10_000)


def draws_lots(consumer_group, current_cid, mq_all, cid_all):
    return [queue for queue in mq_all if random.random() < 0.5]


def goes_by_hashes(consumer_group, current_cid, mq_all, cid_all):
    return [queue for queue in mq_all if cid_all[hash(queue.topic) % len(cid_all)] == current_cid]


seen = []


def counts_calls(consumer_group, current_cid, mq_all, cid_all):
    seen.append(current_cid)
    return mq_all if len(seen) % 7 else []


def only_the_third_hangs(consumer_group, current_cid, mq_all, cid_all):
    while len(mq_all) == 3:
        pass
    return mq_all


def three(current_cid, mq_all, cid_all):
    return [queue for place, queue in enumerate(mq_all) if place % len(cid_all) == cid_all.index(current_cid)]


class Plain:
    def allocate(self, consumer_group, current_cid, mq_all, cid_all):
        return three(current_cid, mq_all, cid_all)


class Particular:
    def __init__(self, seats):
        self.seats = seats

    def allocate(self, consumer_group, current_cid, mq_all, cid_all):
        return mq_all[: self.seats]


made = Particular(1)
neither = 3


def two(mq_all, cid_all):
    return mq_all


async def later(current_cid, mq_all, cid_all):
    return mq_all


def with_a_default(current_cid, mq_all, cid_all, debug=False):
    assert debug is False
    return mq_all


def with_any(*arguments):
    return arguments[2]


def forks(current_cid, mq_all, cid_all):
    os.fork()
    return three(current_cid, mq_all, cid_all)


def forks_and_throws(current_cid, mq_all, cid_all):
    if not os.fork():
        raise ValueError
    return three(current_cid, mq_all, cid_all)


def closes_all(current_cid, mq_all, cid_all):
    os.closerange(3, 1024)
    while True:
        pass


def writes_to_all(current_cid, mq_all, cid_all, words=b"nonsense\n"):
    for file in range(3, 1024):  # whatever the process that runs the tests has open
        with suppress(OSError):
            os.write(file, words)
    return mq_all


def answers_twice(current_cid, mq_all, cid_all):
    return writes_to_all(current_cid, mq_all, cid_all, b"[0,[]]\n")


def prints_too_long_a_line(current_cid, mq_all, cid_all):
    if len(mq_all) == 1:
        sys.stdout.write("x" * 5_000_000)
        sys.stdout.flush()
    return mq_all


def throws_half_a_pair(current_cid, mq_all, cid_all):
    print("\ud800")
    os.write(1, b"\xed\xa0\x80\n")
    raise ValueError("\ud800")


def exits_with_half_a_pair(current_cid, mq_all, cid_all):
    print("\ud800")
    os.write(1, b"\xed\xa0\x80\n")
    sys.exit("\ud800")


def gives_half_a_pair(current_cid, mq_all, cid_all):
    return [mq_all[0]._replace(topic="\ud800")]


def leaves_a_copy(current_cid, mq_all, cid_all):
    if os.fork():
        os._exit(4)
    while True:
        pass


def forks_and_stays(current_cid, mq_all, cid_all):
    if not os.fork():
        while True:
            time.sleep(60)
    return three(current_cid, mq_all, cid_all)


def forks_twice_and_stays(current_cid, mq_all, cid_all):
    if not os.fork():
        if not os.fork():
            time.sleep(60)
        os._exit(0)
    return three(current_cid, mq_all, cid_all)


def writes_without_end(current_cid, mq_all, cid_all, words=b"[1,[" * 10_000):
    while True:
        writes_to_all(current_cid, mq_all, cid_all, words)


def writes_a_line_that_never_ends(current_cid, mq_all, cid_all):
    while True:
        writes_to_all(current_cid, mq_all, cid_all, b"9")
        time.sleep(0.01)


def gives_a_list_without_end(current_cid, mq_all, cid_all):
    class Endless(list):
        def __iter__(self):
            while True:
                yield mq_all[0]

    return Endless()


def gives_long_names(current_cid, mq_all, cid_all):
    return [queue._replace(topic="T" * 10_000_000) for queue in mq_all]


def gives_a_lot(current_cid, mq_all, cid_all):
    return mq_all * (90_000 // len(mq_all))


def exits_with_a_lot_to_say(current_cid, mq_all, cid_all):
    sys.exit("x" * 10_000_000)


def naps(current_cid, mq_all, cid_all):
    time.sleep(0.1)
    return three(current_cid, mq_all, cid_all)
