"""Compare released packages with the model, and write the results to a file.

Usage: ``python -m rebalance_proofs.recorded.packages [NAME==VERSION ...] [--output FILE] [--check] [--steps N]``.
Without names, the command compares the packages in ``RELEASED`` and ``SDKS``. Results of other packages in the file
stay. The exit status is 1 if a package differs, and 2 if one cannot be installed.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.ranges import STEPS
from rebalance_proofs.recorded.packages.conform import Conformed, conform_package
from rebalance_proofs.recorded.packages.install import KINDS, Package, installed, package
from rebalance_proofs.recorded.packages.steps import STEPS as DEFAULT
from rebalance_proofs.recorded.packages.steps import Sequences, compare_steps

FORMAT = 1
"""Version of the file's format; it increases when a reader of the old form would misread the new one."""
FILE = Path(__file__).resolve().parent.parent / "packages.json"
RELEASED = (
    "github.com/apache/rocketmq-client-go/v2==v2.1.2",
    "github.com/apache/rocketmq-client-go/v2==v2.1.3-0.20251226070945-2173d070fd1b",
    "ali-ons==3.12.0",
    "rocketmq-model==1.0.0",
)
"""The packages whose strategies are compared by default: the newest of each client, and the last tagged one of Go."""
SDKS = tuple(f"{kind.name}=={version}" for kind in KINDS for version in kind.models)
"""All modelled packages of gRPC clients, whose assignment step is compared."""


def entry(package: Package, conformed: Conformed) -> dict[str, Any]:
    """Return the results of one package as JSON.

    ``strategies`` counts strategies with their constructor arguments, ``calls`` their calls, ``sorts`` sorted lists.
    """
    return {
        "client": package.kind.client,
        "name": package.kind.name,
        "version": package.version,
        "compared": {
            "strategies": len(conformed.strategies),
            "calls": sum(one.calls for one in conformed.strategies),
            "sorts": sum(one.calls for one in conformed.sorts),
        },
        "differ": conformed.differ,
        "known_differences": [*package.kind.differs],
        "not_compared": [*conformed.not_compared],
    }


def steps_entry(package: Package, found: Sequences) -> dict[str, Any]:
    """Return the results of one gRPC client as JSON."""
    told = {"client": package.kind.client, "name": package.kind.name, "version": package.version}
    return {**told, "steps": found.steps, "sequences": found.compared, "differ": found.differ}


def updated(before: list[dict[str, Any]], found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return earlier entries, replaced or followed by new ones, in the order of clients and versions."""
    clients = [kind.name for kind in KINDS]
    both = {(one["name"], one["version"]): one for one in (*before, *found)}
    return sorted(both.values(), key=lambda one: (clients.index(one["name"]), one["version"]))


def main(arguments: list[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m rebalance_proofs.recorded.packages")
    parser.add_argument("packages", nargs="*", metavar="NAME==VERSION")
    parser.add_argument("--output", type=Path, default=FILE, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="write no file")
    parser.add_argument("--steps", type=int, choices=range(STEPS[0], STEPS[1] + 1), default=DEFAULT, metavar="N")
    asked = parser.parse_args(arguments)
    found: dict[str, list[dict[str, Any]]] = {"packages": [], "sdks": []}
    failed = False
    for words in asked.packages or (*RELEASED, *SDKS):
        try:
            one = package(words)
            if one.kind.models:
                result = steps_entry(one, compare_steps(one, installed(one), asked.steps))
                found["sdks"].append(result)
                print(f"{one}: {result['sequences']:,} sequences, {result['differ']:,} differ", flush=True)
                continue
            if one.kind.profile is None:
                raise StrategyError(f"--package {one} is a Java client: use `rebalance conform --package {one}`")
            found["packages"].append(entry(one, conform_package(one, installed(one))))
            print(f"{one}: {found['packages'][-1]['differ']} differ", flush=True)
        except StrategyError as error:
            failed = True
            print(error, file=sys.stderr)
    if not asked.check:
        before = json.loads(asked.output.read_text(encoding="utf-8")) if asked.output.is_file() else {}
        document = {"format": FORMAT, **{key: updated(before.get(key, []), some) for key, some in found.items()}}
        asked.output.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 2 if failed else int(any(one["differ"] for some in found.values() for one in some))


if __name__ == "__main__":
    sys.exit(main())
