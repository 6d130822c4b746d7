"""Sentences about entries and pull requests that break a guarantee."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.model.client.effects import PULL_REQUEST
from rebalance_proofs.model.client.settings import PUSH
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.transition.rounds import BROKER, TOPIC, Held, Watched
from rebalance_proofs.proofs.transition.entries import _pulls_wrong


@pytest.mark.parametrize(
    ("new", "requests", "said"),
    [
        (True, 0, "has a new process queue, and no pull request is dispatched for it."),
        (True, 1, None),
        (True, 2, "has a new process queue, and 2 pull requests are dispatched for it."),
        (False, 0, None),
        (False, 1, "has no new process queue, and a pull request is dispatched for it."),
        (False, 2, "has no new process queue, and 2 pull requests are dispatched for it."),
    ],
)
def test_pull_requests_are_counted(new, requests, said):
    queue, held = MessageQueue(TOPIC, BROKER, 0), Held(dropped=False, locked=False, tries=0, fresh=new)
    effects = ((PULL_REQUEST, queue),) * requests
    found = _pulls_wrong(PUSH, (Watched(queue, True, SimpleNamespace(), None, held, 0, (0, 0), effects),))
    assert (found or "").endswith(said or "")
    assert (found is None) == (said is None)
