"""``consistent_hash.jsonl`` and the files that refer to its configurations: the Go client's owners, and whole rings."""

from collections.abc import Callable, Mapping

from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.hash_configurations import STRATEGY, Configuration, Configurations, check_configurations
from rebalance_proofs.recorded.owners import owners_text, read_owners
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.ring_dump import check_ring_dump
from rebalance_proofs.recorded.shipped import configured
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows, without
from rebalance_proofs.recorded.tsv import cells, number

__all__ = ["FORMAT"]

OWNERS, OWNERS_GO, RINGS = "consistent_hash.jsonl", "consistent_hash_go.tsv", "ring_dump.tsv"
GO_COLUMNS = (
    "id",
    "go_owner_index_per_queue (same id, queues and sorted cids as consistent_hash.jsonl; panic text when it panics)",
)
PANIC = "panic: "


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The configurations first, then what refers to them."""
    reports: list[FileReport] = []
    configurations: Configurations | None = None
    if OWNERS in found:
        report, configurations = check_configurations(found[OWNERS])
        reports.append(report)
    referring: tuple[tuple[str, Callable[[VectorFile, Configurations], FileReport]], ...] = (
        (OWNERS_GO, check_go),
        (RINGS, check_ring_dump),
    )
    for name, check_file in referring:
        if name in found and configurations is None:
            reports.append(without(found[name], OWNERS))
        elif name in found:
            reports.append(check_file(found[name], configurations))
    return tuple(reports)


def check_go(vectors: VectorFile, configurations: Configurations) -> FileReport:
    """The Go client's owner of every queue, or its panic, has to be the recorded one."""

    def check_row(tally: Tally, line: Line) -> None:
        id_text, result = cells(line.text, ("id", "owners"))
        id_ = number(id_text, "id")
        if id_ not in configurations:
            raise RowError(f"configuration {id_} is not in {OWNERS}")
        configuration = configurations[id_]
        recorded = read_result(result, configuration)
        strategy = configured(GO, STRATEGY, virtual_nodes=configuration.virtual_nodes)
        computed = owners_text(GO, strategy, configuration.mq_all, configuration.cid_all)
        tally.compare(line, GO, f"{STRATEGY} of configuration {id_}", recorded, computed)

    return check_rows(vectors, check_row, "\t".join(GO_COLUMNS))


def read_result(result: str, configuration: Configuration) -> str:
    """Owners, or what the client threw."""
    if result.startswith(PANIC):
        return result
    owners = [number(owner, "owner") for owner in result.split(",")]
    if len(owners) != len(configuration.mq_all):
        raise RowError(f"{len(owners)} owners, the configuration has {len(configuration.mq_all)} queues")
    return read_owners(owners, configuration.cid_all)


FORMAT = Format(files=(OWNERS, OWNERS_GO, RINGS), check=check)
