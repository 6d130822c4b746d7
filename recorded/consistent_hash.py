"""``consistent_hash.jsonl`` and the files that refer to its configurations: the Go client's owners, and whole rings."""

from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.format import Format, Part
from rebalance_proofs.recorded.hash_configurations import (
    OWNER_ROWS,
    OWNERS,
    Configuration,
    Configurations,
    check_owners,
    compare_owners,
    configuration_of,
)
from rebalance_proofs.recorded.owners import read_owners
from rebalance_proofs.recorded.readers import Row, anything
from rebalance_proofs.recorded.ring_dump import RING_ROWS, check_ring
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.tsv import Table, number

__all__ = ["FORMAT"]

GO_ROWS = Table(
    {"id": number, "owners": anything},
    headings=(
        "id",
        "go_owner_index_per_queue "
        "(same id, queues and sorted cids as consistent_hash.jsonl; panic text when it panics)",
    ),
)
PANIC = "panic: "


def check_go(tally: Tally, line: Line, row: Row, configurations: Configurations) -> None:
    """The Go client's owner of every queue, or its panic, has to be the recorded one."""
    id_, result = row
    configuration = configuration_of(id_, configurations)
    compare_owners(tally, line, GO, id_, configuration, read_result(result, configuration))


def read_result(result: str, configuration: Configuration) -> str:
    """Owners, or what the client threw."""
    if result.startswith(PANIC):
        return result
    owners = [number(owner, "owner") for owner in result.split(",")]
    if len(owners) != len(configuration.mq_all):
        raise RowError(f"{len(owners)} owners, the configuration has {len(configuration.mq_all)} queues")
    return read_owners(owners, configuration.cid_all)


FORMAT = Format(
    (
        Part(OWNERS, OWNER_ROWS, check_owners, uses=(OWNERS,)),
        Part("consistent_hash_go.tsv", GO_ROWS, check_go, uses=(OWNERS,)),
        Part("ring_dump.tsv", RING_ROWS, check_ring, uses=(OWNERS,)),
    )
)
