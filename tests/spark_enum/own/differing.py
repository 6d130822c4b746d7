"""Strategies that do not repeat themselves, each for a reason of its own; and one that goes by weights in ids."""

import datetime
import os
import random
import re
import time
import uuid

LOADED = random.Random().randrange(1000)
asked = 0


def _turned(me, mq, ids, by):
    return mq[(ids.index(me) + by) % len(ids) :: len(ids)]


def salted(consumer_group, me, mq, ids):
    return [q for q in mq if ids[hash((q.topic, q.broker_name, q.queue_id)) % len(ids)] == me]


def in_the_order_of_a_set(me, mq, ids):
    names = list({f"{q.broker_name} {q.queue_id}" for q in mq})
    mine = names[ids.index(me) :: len(ids)]
    return [q for q in mq if f"{q.broker_name} {q.queue_id}" in mine]


def draws(me, mq, ids):
    return [q for q in mq if random.choice(ids) == me]


def draws_an_id(me, mq, ids):
    return [q for q in mq if uuid.uuid4().int % len(ids) == ids.index(me)]


def drew_when_loaded(me, mq, ids):
    return _turned(me, mq, ids, LOADED)


def by_the_hour(me, mq, ids):
    return _turned(me, mq, ids, datetime.datetime.now().hour)


def by_the_second(me, mq, ids):
    return _turned(me, mq, ids, int(time.time()))


def by_its_process(me, mq, ids):
    return _turned(me, mq, ids, os.getpid())


def counts(me, mq, ids):
    global asked
    asked += 1
    return _turned(me, mq, ids, asked)


def by_weight(me, mq, ids):
    """Repeats itself; an id without a weight has 1."""
    slots = [one for one in ids for _ in range(int((re.search(r"@w(\d+)$", one) or [0, 1])[1]))]
    return [q for place, q in enumerate(mq) if slots[place % len(slots)] == me]
