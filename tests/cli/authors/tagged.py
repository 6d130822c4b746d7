"""Members and brokers with a tag in their names belong together."""

import re

ZONE = re.compile(r"(?:^|@)zone-([a-z]+)")


def zone(name):
    found = ZONE.search(name)
    return found[1] if found else ""


def even(me, queues, ids):
    return queues[ids.index(me) :: len(ids)] if me in ids else []


def zones_only(me, mq_all, cid_all):
    """Queues of a zone go to its members, if it has members or not."""
    mine = [queue for queue in mq_all if zone(queue.broker_name) == zone(me)]
    return even(me, mine, [one for one in cid_all if zone(one) == zone(me)])


def zones_first(me, mq_all, cid_all):
    """Queues of a zone without members go to all."""
    peopled = {zone(one) for one in cid_all}
    orphans = [queue for queue in mq_all if zone(queue.broker_name) not in peopled]
    return zones_only(me, mq_all, cid_all) + even(me, orphans, cid_all)


def weights(me, mq_all, cid_all):
    """An id that ends in ``#3`` counts three times; not level, but complete."""
    slots = [one for one in cid_all for _ in range(max(1, int((re.search(r"#(\d)$", one) or [0, 1])[1])))]
    return [queue for place, queue in enumerate(mq_all) if slots[place % len(slots)] == me]


def own_zone(group, shares):
    """A queue of a zone stays in it while the zone has a member."""
    peopled = {zone(one) for one in group.ids}
    for one, queues in shares.items():
        for queue in queues:
            assert zone(queue.broker_name) in (zone(one), "") or zone(queue.broker_name) not in peopled, (
                f"{one} has queue {queue.queue_id} of {queue.broker_name}"
            )
