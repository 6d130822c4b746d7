"""Compare the assignment step of a released gRPC client with the model (``model.receiving``).

Usage: ``python -m rebalance_proofs.recorded.packages.sdk rocketmq-python-client==5.1.1 [--steps N]``. All sequences of
up to N steps are run by both, with two topics and three queues. The exit status is 1 if one differs, and 2 if the
package cannot be installed or has other internals.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.receiving.sdks import (
    OTHER,
    TOPIC,
    PushConsumer,
    PythonPushConsumerV5_0,
    PythonPushConsumerV5_1_1,
    PythonPushConsumerV5_1_2,
)
from rebalance_proofs.recorded.cache import cache, place, ran, refusal
from rebalance_proofs.recorded.packages.install import LIMIT, reason

NAME = "rocketmq-python-client"
MODELS: Mapping[str, type[PushConsumer]] = {
    "5.0.9": PythonPushConsumerV5_0,
    "5.1.1": PythonPushConsumerV5_1_1,
    "5.1.2": PythonPushConsumerV5_1_2,
}
"""Version of the package -> its model."""
SOURCE = Path(__file__).resolve().parent / "python" / "receiving.py.txt"
STEPS, MOST = 4, 6
"""Steps of a sequence by default, and at most: longer ones do not fit into memory."""
Step = Sequence[Any]
ALL: Sequence[Step] = (
    *(("answer", TOPIC, numbers) for numbers in ([], [0], [1], [0, 1])),
    *(("answer", OTHER, numbers) for numbers in ([], [0])),
    ("expire", TOPIC, 0),
    ("unsubscribe", TOPIC),
)
"""The steps of all sequences: two queues of one topic, and one of another."""


@dataclass(frozen=True)
class Difference:
    """A sequence of steps after which package and model have different receive loops."""

    steps: Sequence[Step]
    package: Any
    """Queues of the table with their receive loops, and loops of replaced process queues."""
    model: Any


def sequences(most: int) -> Iterator[Sequence[Step]]:
    """Yield all sequences of ``most`` steps; shorter ones are their beginnings."""
    yield from product(ALL, repeat=most)


def modelled(made: type[PushConsumer], steps: Sequence[Step]) -> list[Any]:
    """Return the model's receive loops after each step, as the package's driver prints them."""
    consumer, rows = made(), []
    for kind, topic, *more in steps:
        if kind == "answer":
            consumer.on_success(topic, frozenset((topic, number) for number in more[0]))
        elif kind == "expire":
            entry = consumer.process_queue_table.get((topic, more[0]))
            if entry is not None:
                entry.loops, entry.expired = 0, True
        elif TOPIC in consumer.subscription_expressions:
            consumer.unsubscribes()
        table = sorted([*queue, entry.loops] for queue, entry in consumer.process_queue_table.items())
        rows.append([table, sum(one.loops for one in consumer.removed)])
    return rows


def installed(version: str) -> Path:
    """Return the folder of the package and of what it needs; pip installs it once. Raises ``StrategyError``."""
    folder = cache() / "packages" / f"{NAME}-{version}-py{sys.version_info[0]}{sys.version_info[1]}"

    def install(scratch: Path) -> Path:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = ran([*pip, "--target", str(scratch / "whole"), f"{NAME}=={version}"], LIMIT)
        if done.returncode:
            raise StrategyError(f"pip could not install {NAME}=={version}: {reason(done.stdout)}")
        return scratch / "whole"

    try:
        if not (folder / "rocketmq").is_dir():
            place(folder, install, (folder / "rocketmq").is_dir)
    except OSError as error:
        raise StrategyError(f"{NAME}=={version} cannot be written to the cache {refusal(folder, error)}") from error
    return folder


def compared(version: str, most: int = STEPS) -> tuple[int, list[Difference]]:
    """Return the number of compared sequences, and those that differ. Raises ``StrategyError``."""
    if version not in MODELS:
        raise StrategyError(f"{NAME}=={version} is not modelled: name one of {', '.join(MODELS)}")
    folder = installed(version)
    every = [*sequences(most)]
    given = "".join(f"{json.dumps(steps)}\n" for steps in every)
    command = [sys.executable, "-S", "-W", "ignore", str(SOURCE)]
    done = subprocess.run(command, input=given, capture_output=True, encoding="utf-8", env={"PYTHONPATH": str(folder)})
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it ended without an answer"])[-1]
        raise StrategyError(f"{NAME}=={version} cannot be compared: {last}")
    rows = map(json.loads, done.stdout.splitlines())
    pairs = zip(every, rows, (modelled(MODELS[version], steps) for steps in every), strict=True)
    return len(every), [Difference(*one) for one in pairs if one[1] != one[2]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser("python -m rebalance_proofs.recorded.packages.sdk")
    parser.add_argument("package", metavar=f"{NAME}==VERSION")
    parser.add_argument("--steps", type=int, default=STEPS, metavar="N", help=f"steps of a sequence ({STEPS})")
    asked = parser.parse_args(arguments)
    name, _, version = asked.package.partition("==")
    if name != NAME:
        parser.error(f"{name!r} is not a package that can be compared: name {NAME}")
    if not 1 <= asked.steps <= MOST:
        parser.error(f"--steps needs a number from 1 to {MOST}")
    try:
        count, different = compared(version, asked.steps)
    except StrategyError as error:
        parser.error(str(error))
    for one in different[:3]:
        print(f"BAD {list(one.steps)}: the package has {one.package[-1]}, the model {one.model[-1]}")
    print(f"{asked.package}: {count:,} sequences of {asked.steps} steps compared, {len(different):,} differ")
    return int(bool(different))


if __name__ == "__main__":
    raise SystemExit(main())
