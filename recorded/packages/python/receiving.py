"""Run the assignment step of the installed rocketmq-python-client, with its network replaced.

The process reads lines of JSON, each a list of steps, and writes one line for each: for every step, the queues of the
table with their receive loops, and the loops of process queues that are neither in the table nor dropped. Queues are
``[topic, number]``. Steps: ``["answer", topic, numbers]``, ``["expire", topic, number]``, ``["unsubscribe", topic]``,
which has no effect on a topic that is not subscribed. It imports nothing but the package.
"""

import json
import sys
from types import SimpleNamespace

try:
    from rocketmq.v5.consumer.push.push_consumer import PushConsumer
except ImportError:  # up to 5.0.9
    from rocketmq.v5.consumer.push_consumer import PushConsumer
import rocketmq.v5.model.assignment as assignment
from rocketmq.v5.consumer.consumer import Consumer
from rocketmq.v5.util import ConcurrentMap

PRIVATE = "_PushConsumer__"
NEEDED = ("update_topic_assignment", "execute_receive", "process_message_queues", "drop_expired_message_queue")


class Subscriptions:
    """The consumer's table of subscriptions."""

    def __init__(self):
        self.gone = set()

    def contains(self, topic):
        return topic not in self.gone


class Queue:
    """A message queue, which the client compares and sorts."""

    def __init__(self, topic, number):
        self.topic, self.number = topic, number

    def __hash__(self):
        return hash((self.topic, self.number))

    def __eq__(self, other):
        return (self.topic, self.number) == (other.topic, other.number)

    def __lt__(self, other):
        return (self.topic, self.number) < (other.topic, other.number)


class Running(PushConsumer):
    """A consumer that was never constructed: it has the tables that the step reads, and counts receive loops."""

    is_running = True
    client_configuration = SimpleNamespace(request_timeout=3)

    def __init__(self):
        self._subscriptions = Subscriptions()
        setattr(self, PRIVATE + "process_queues", ConcurrentMap())
        setattr(self, PRIVATE + "assignments", ConcurrentMap())
        setattr(self, PRIVATE + "long_polling_timeout", 30)
        setattr(self, PRIVATE + "execute_receive", self.count)
        self.loops = {}

    def count(self, queue, entry, attempt_id=None):
        if not entry.dropped:
            self.loops[entry] = self.loops.get(entry, 0) + 1
            entry._ProcessQueue__active_time = FAR

    def take(self, step):
        kind, topic, *more = step
        if kind == "answer":
            found = [SimpleNamespace(message_queue=Queue(topic, number)) for number in more[0]]
            getattr(self, PRIVATE + "update_topic_assignment")(found, topic)
        elif kind == "expire":
            entry = getattr(self, PRIVATE + "process_queues").get(Queue(topic, more[0]))
            if entry is not None:
                self.loops[entry] = 0
                entry._ProcessQueue__active_time = 0
        elif kind == "unsubscribe" and self._subscriptions.contains(topic):
            self._subscriptions.gone.add(topic)
            if "unsubscribe" in vars(PushConsumer):
                PushConsumer.unsubscribe(self, topic)

    def shown(self):
        table = dict(getattr(self, PRIVATE + "process_queues").items())
        held = set(map(id, table.values()))
        rows = sorted([queue.topic, queue.number, self.loops.get(entry, 0)] for queue, entry in table.items())
        strays = sum(loops for entry, loops in self.loops.items() if id(entry) not in held and not entry.dropped)
        return [rows, strays]


FAR = 1 << 40
"""A time in seconds after every other one: the process queue has just received."""


def main():
    missing = [name for name in NEEDED if not hasattr(PushConsumer, PRIVATE + name)]
    if missing:
        raise SystemExit(f"its PushConsumer has no method {missing[0]}")
    assignment.MessageQueue = lambda queue: queue
    Consumer.unsubscribe = lambda self, topic: None
    for line in sys.stdin:
        consumer, rows = Running(), []
        for step in json.loads(line):
            consumer.take(step)
            rows.append(consumer.shown())
        print(json.dumps(rows))


main()
