"""Queues go to members on the broker's own host; a member without such queues takes part in an even division of all.

Shape of a pull request for RocketMQ (apache/rocketmq#3254). The second rule gives out queues that have an owner.
"""


def host(name):
    return name.split("@")[0]


def even(me, queues, ids):
    return queues[ids.index(me) :: len(ids)]


def second_choice(consumer_group, me, mq_all, cid_all):
    here = [queue for queue in mq_all if queue.broker_name == host(me)]
    together = [one for one in cid_all if host(one) == host(me)]
    return even(me, here, together) or even(me, mq_all, cid_all)


def rest_for_all(consumer_group, me, mq_all, cid_all):
    hosts = {host(one) for one in cid_all}
    here = [queue for queue in mq_all if queue.broker_name == host(me)]
    others = [queue for queue in mq_all if queue.broker_name not in hosts]
    return even(me, here, [one for one in cid_all if host(one) == host(me)]) + even(me, others, cid_all)
