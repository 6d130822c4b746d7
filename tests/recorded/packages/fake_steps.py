"""A driver written for tests: it answers with the model of the Node client, and with one fault on request.

Usage: ``python fake_steps.py FAULT``.
"""

import json
import sys

from rebalance_proofs.model.receiving.sdks import NodePushConsumer
from rebalance_proofs.recorded.packages.steps import modelled

FAULT = sys.argv[1]


def main():
    if FAULT == "internals":
        sys.exit("its PushConsumer has no method scan")
    for place, line in enumerate(sys.stdin):
        if FAULT == "ends" and place == 3:
            return
        if FAULT == "garbage":
            print("npm WARN deprecated")
            continue
        rows = modelled(NodePushConsumer, json.loads(line))
        if FAULT == "two loops":
            for queues, _ in rows:
                for queue in queues:
                    queue[2] += queue[:2] == ["T", 1] and ["U", 0] in [one[:2] for one in queues]
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
