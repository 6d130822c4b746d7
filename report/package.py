"""The answer of ``rebalance conform --package``, which compares a released client with the model."""

from typing import Any

from rebalance_proofs.recorded.jar.conform import Compared
from rebalance_proofs.recorded.packages.conform import IDS, QUEUES, Conformed
from rebalance_proofs.recorded.packages.install import Package
from rebalance_proofs.report import jar
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count

FORMAT = 1
"""Version of the JSON; it increases when a reader of the old form would misread the new one."""


def heading(package: Package) -> str:
    """Return the package, and the model that it is compared with."""
    profile = package.kind.profile
    assert profile
    return f"{package.kind.name} {package.version} compared with the model {profile.name} ({profile.observed})"


def line(compared: Compared) -> str:
    """Return the result of one strategy or sort order."""
    return jar.line(compared, "list" if compared.name in (QUEUES, IDS) else "call")


def notes(package: Package, conformed: Conformed) -> list[str]:
    """Return lines on the version, known differences, and what was not compared."""
    remark = package.resolved.note
    known = [f"known difference: {one}" for one in package.kind.differs]
    return [*[remark] * bool(remark), *known, *(f"not compared: {one}" for one in conformed.not_compared)]


def verdict(conformed: Conformed) -> str:
    """Return the last line: whether all strategies and sort orders agree."""
    wrong = [one.name for one in conformed.results if one.smallest]
    if wrong:
        return f"DIFFERS FROM THE MODEL: {'; '.join(wrong)}"
    calls, lists = (sum(one.calls for one in some) for some in (conformed.strategies, conformed.sorts))
    of_lists = f" and {count(lists, 'list')}" if lists else ""
    return f"Same as the model in all {count(calls, 'call')}{of_lists}"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of ``document``."""
    return published("conform_package")


def document(package: Package, conformed: Conformed) -> dict[str, Any]:
    """Return the answer as JSON: the package, and the result of each strategy and sort order."""
    profile = package.kind.profile
    assert profile
    return {
        "format": FORMAT,
        "client": package.kind.client,
        "package": package.kind.name,
        "version": package.version,
        "model": profile.name,
        "remark": package.resolved.note or None,
        "agrees": not any(one.smallest for one in conformed.results),
        "strategies": [jar.one(result) for result in conformed.strategies],
        "sorts": [jar.one(result) for result in conformed.sorts],
        "not_compared": [*conformed.not_compared],
        "known_differences": [*package.kind.differs],
    }
