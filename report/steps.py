"""The answer of ``rebalance conform --package`` for a gRPC client, whose assignment step is compared with the model."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.model.machines.receiving import CLIENTS, SdkClient
from rebalance_proofs.model.receiving.releases import whose
from rebalance_proofs.recorded.packages.install import KINDS, Package
from rebalance_proofs.recorded.packages.steps import Sequences, Step
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""
NAME = "assignment step"


def client(package: Package) -> SdkClient:
    """Return the client of the model that a package's version is compared with."""
    made, language = package.kind.models[package.version], package.kind.client.partition("-")[2]
    return next(one for one in CLIENTS if one.made is made and one.name.startswith(language))


def model(package: Package) -> str:
    """Return the subject of the model's claims: ``python_v5_1_1``."""
    return client(package).name


def release(package: Package) -> str:
    """Return the display name of a package's version: ``gRPC Go 5.1.4``."""
    return whose(f"{package.kind.client} {package.version.removeprefix('v')}")


def compared(one: SdkClient) -> tuple[str, ...]:
    """Return the display names of the packages that are compared with a client of the model."""
    every = (Package(kind, version) for kind in KINDS for version in kind.models)
    return tuple(release(package) for package in every if client(package) is one)


def heading(package: Package) -> str:
    """Return the package, and the model that it is compared with."""
    return f"{package.kind.name} {package.version} compared with the model receiving.{model(package)}"


def _counted(found: Sequences) -> str:
    return f"{count(found.compared, 'sequence')} of {count(found.steps, 'step')}"


def line(found: Sequences) -> str:
    """Return the result, with the shortest difference if there is one."""
    made = f"{NAME}: {_counted(found)}"
    if not found.smallest:
        return f"ok  {made}, all agree"
    one = found.smallest
    said = f"{', '.join(map(_step, one.steps))}: the client has {_row(one.client)}, the model has {_row(one.model)}"
    return f"BAD {made}, {found.differ:,} differ; the smallest: {said}"


def _step(step: Step) -> str:
    return " ".join(map(str, step))


def _row(row: Sequence[Any]) -> str:
    queues, others = row
    loops = [f"{topic} {number} with {count(loops, 'loop')}" for topic, number, loops in queues]
    return ", ".join([*loops, *[f"{count(others, 'loop')} of replaced queues"] * bool(others)]) or "no queue"


def verdict(found: Sequences) -> str:
    """Return the last line: whether all sequences agree."""
    return f"DIFFERS FROM THE MODEL: {NAME}" if found.differ else f"Same as the model in all {_counted(found)}"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("conform_steps")


def document(package: Package, found: Sequences) -> dict[str, Any]:
    """Return the answer as JSON."""
    one = found.smallest
    return {
        "format": FORMAT,
        "client": package.kind.client,
        "package": package.kind.name,
        "version": package.version,
        "model": model(package),
        "agrees": not found.differ,
        "steps": found.steps,
        "sequences": found.compared,
        "differ": found.differ,
        "smallest": one
        and {"steps": [*map(_told, one.steps)], "client": _state(one.client), "model": _state(one.model)},
    }


def _told(step: Step) -> dict[str, Any]:
    kind, *more = step
    names = {"answer": ("topic", "queues"), "expire": ("topic", "queue")}.get(kind, ("topic",))
    return {"step": kind, **dict(zip(names, more, strict=False))}


def _state(row: Sequence[Any]) -> dict[str, Any]:
    queues, others = row
    names = ("topic", "queue", "loops")
    return {"process_queues": [dict(zip(names, one, strict=True)) for one in queues], "other_loops": others}
