"""An exploration in a process of its own, which prints its cost: ``python -m benchmarks.explorer.child REQUEST``.

The request is JSON: the model, its settings, and where to explore. The output is JSON, too.
"""

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from rebalance_proofs.spark_enum.explorer.exploration import MEMORY, explored
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.subject import Subject

MODULUS = 1 << 64
SMALLEST = {"consumers": 1, "queues": 1}


def main() -> None:
    """Explore, after a smallest group: the memory that the process has then is not counted for states."""
    request = json.loads(sys.argv[1])
    told = request.pop("settings")
    with _spark(request.get("master")) as session:
        _explore(request["model"], SMALLEST, MEMORY, None, None)
        base = _status("VmRSS")
        cpu, wall = process_time(), perf_counter()
        folder = Path(request["folder"]) if "folder" in request else None
        found = _explore(request["model"], told, request.get("memory", MEMORY), folder, session)
        found |= {"cpu": process_time() - cpu, "wall": perf_counter() - wall}
    print(json.dumps(found | {"base": base, "peak": _status("VmHWM")}))


def _explore(model: str, told: dict[str, Any], memory: int, folder: Path | None, session: Any) -> dict[str, Any]:
    subject = _subject(model)
    settings = subject.settings(**told)
    product = Product(subject.build(settings))
    with explored(product, subject.document(settings), memory, folder, session) as exploration:
        levels = list(exploration.levels())
    return {
        "states": sum(level.states for level in levels),
        "transitions": sum(int(level.counts.sum()) for level in levels if level.counts is not None),
        "digest": f"{sum(level.digest for level in levels) % MODULUS:016x}",
    }


def _subject(model: str) -> Subject:
    # Only this module: the other models' terms take longer to load than a small group to explore.
    name = f"rebalance_proofs.spark_enum.explorer.models.{model.replace('-', '_')}"
    subject: Subject = import_module(name).SUBJECT
    return subject


def _spark(master: str | None) -> AbstractContextManager[Any]:
    if master is None:
        return nullcontext()
    # Imported late: PySpark takes long to load, and most explorations here do not need it.
    from rebalance_proofs.spark_enum.session import spark_session

    return spark_session(master)


def _status(name: str) -> int:
    """A memory figure of this process in bytes, which unlike ``ru_maxrss`` does not include the parent's memory."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) << 10


if __name__ == "__main__":
    main()
