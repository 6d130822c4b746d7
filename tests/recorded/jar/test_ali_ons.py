"""The AVG of ali-ons from npm compared with the model of the Node client. Slow: fetched from npm's registry."""

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.own.call import THROWS, Call, Gave, Outcome, Refused
from rebalance_proofs.model.profiles.node import NODE
from rebalance_proofs.recorded.jar.calls import of_two_lists
from rebalance_proofs.recorded.jar.compare import compare
from rebalance_proofs.recorded.jar.conform import BOUND

pytestmark = pytest.mark.slow
VERSION = "3.12.0"
SCRIPT = """
const Strategy = require('ali-ons/lib/consumer/rebalance/allocate_message_queue_averagely');
const MessageQueue = require('ali-ons/lib/message_queue');
const strategy = new Strategy();
const { lists, calls } = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const queues = lists.map(list => list.map(queue => new MessageQueue(...queue)));
const answers = calls.map(([group, id, place, ids]) => {
  try {
    return strategy.allocate(group, id, [...queues[place]], [...ids]).map(queue => queues[place].indexOf(queue));
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
});
console.log(JSON.stringify(answers));
"""


class Node:
    """Calls the strategy of an installed ali-ons; as little of a worker as the comparison needs."""

    name = "ali-ons AVG"

    def __init__(self, node: str, folder: Path) -> None:
        self._node, self._folder = node, folder

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        """All in one process."""
        lists = {id(call.mq_all): call.mq_all for call in calls}
        places = {key: place for place, key in enumerate(lists)}
        asked = [(call.consumer_group, call.current_cid, places[id(call.mq_all)], call.cid_all) for call in calls]
        done = subprocess.run(
            [self._node, "-e", SCRIPT],
            input=json.dumps({"lists": [*lists.values()], "calls": asked}),
            cwd=self._folder,
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return [self._outcome(call, found) for call, found in zip(calls, json.loads(done.stdout), strict=True)]

    def _outcome(self, call: Call, found: list[int] | str) -> Outcome:
        if isinstance(found, str):
            return Refused(THROWS, f"throws {found}")
        return Gave(tuple(call.mq_all[place] if place >= 0 else None for place in found))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to end."""


@pytest.fixture(scope="module")
def ali_ons(tmp_path_factory: pytest.TempPathFactory) -> Node:
    """ali-ons installed in a folder of its own; skips if that fails."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        pytest.skip("there is no node and npm on the PATH to run ali-ons")
    folder = tmp_path_factory.mktemp("ali-ons")
    call = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", f"ali-ons@{VERSION}"]
    try:
        done = subprocess.run(call, cwd=folder, capture_output=True, encoding="utf-8", timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not install ali-ons within 120 s")
    if done.returncode:
        pytest.skip(f"npm does not install ali-ons {VERSION}: {done.stderr.strip().splitlines()[-1]}")
    return Node(node, folder)


def test_ali_ons_avg_equals_the_model(ali_ons):
    found = compare("AVG", ali_ons, NODE, NODE.strategy("AVG"), of_two_lists(BOUND))
    assert found.calls == len(of_two_lists(BOUND)) > 20_000
    assert (found.differ, found.smallest) == (0, None)


def test_other_strategy_is_detected(ali_ons):
    """The comparison detects another strategy than AVG."""
    found = compare("AVG", ali_ons, NODE, AVERAGELY_BY_CIRCLE, of_two_lists(3))
    assert (found.smallest.client, found.smallest.model) == ("gives [0, 1]", "gives [0, 2]")
