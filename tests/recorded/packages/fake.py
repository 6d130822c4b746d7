"""A driver written for tests: it answers with the model of the Node client, and with one fault on request.

Usage: ``python fake.py FAULT``.
"""

import json
import os
import sys
import time
from functools import partial

from rebalance_proofs.model.profiles import NODE, ClientError
from rebalance_proofs.model.queues import MessageQueue

FAULT = sys.argv[1]
AVERAGELY = NODE.strategy("AVG")
FIRST = 3
"""Call from which a driver that hangs, ends or writes garbage does so."""


def allocated(queues, ids, client_id):
    try:
        found = NODE.allocate(AVERAGELY, client_id, queues, ids)
    except ClientError as error:
        message = "currentCID is blank" if FAULT == "other message" and "currentCID" in error.message else error.message
        return {"x": error.exception, "m": message}
    places = [queues.index(queue) for queue in found]
    if FAULT == "last queue" and ids and client_id == ids[-1] and len(ids) == 3:
        places = places[:-1]
    if FAULT == "reversed":
        places.reverse()
    if FAULT == "null for empty" and not places:
        return None
    if FAULT == "foreign queue" and places:
        return [["T", "elsewhere", 0]]
    if FAULT == "whole queues":
        return [list(queues[place]) for place in places]
    return places


def sort(queues, ids):
    queues, ids = NODE.sort_queues(queues), NODE.sort_client_ids(ids)
    if FAULT == "bytes":
        ids = sorted(ids)
    if FAULT == "ids as text":
        queues.sort(key=lambda queue: (queue.topic, queue.broker_name, str(queue.queue_id)))
    if FAULT == "no duplicates":
        queues = [queue for place, queue in enumerate(queues) if queue not in queues[:place]]
    return {"mq": queues, "cid": ids}


def main():
    made = 0
    for line in sys.stdin:
        asked = json.loads(line)
        lists = [[MessageQueue(*queue) for queue in queues] for queues in asked.get("lists", ())]
        answers = []
        if "make" in asked:
            absent = FAULT == "absent"
            thrown = {"x": "Error", "m": "no"} if FAULT == "constructor" else None
            print(json.dumps(thrown or ("absent" if absent else "ready")), flush=True)
        for _, client_id, mq, cid in asked.get("calls", ()):
            answers.append(partial(allocated, lists[mq], asked["ids"][cid], client_id))
        for one in asked.get("sorts", ()):
            answers.append(partial(sort, [MessageQueue(*queue) for queue in one["mq"]], one["cid"]))
        for answer in answers:
            made += 1
            if made >= FIRST and FAULT == "hangs":
                time.sleep(600)
            if made >= FIRST and FAULT == "dies":
                print("out of luck", file=sys.stderr, flush=True)
                os._exit(7)
            if made >= FIRST and FAULT == "garbage":
                print("hello", flush=True)
                continue
            print(json.dumps(answer()), flush=True)


if __name__ == "__main__":
    main()
