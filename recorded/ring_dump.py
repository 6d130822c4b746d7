"""``ring_dump.tsv``: the whole ring of the Java client's CONSISTENT_HASH, virtual node by virtual node."""

import re

from rebalance_proofs.model.allocation.consistent_hash import build_ring, md5_hash
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.hash_configurations import Configurations
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import cells, number

ENTRY = re.compile(r"[0-9]+=.+")
COLUMNS = ("config_id", "ring_entries_ascending: hash=vnodeKey")


def check_ring_dump(vectors: VectorFile, configurations: Configurations) -> FileReport:
    """Every hash and key, in the recorded order."""

    def check_row(tally: Tally, line: Line) -> None:
        id_text, recorded = cells(line.text, COLUMNS)
        id_ = number(id_text, "config_id")
        if id_ not in configurations:
            raise RowError(f"configuration {id_} is not in consistent_hash.jsonl")
        if recorded and not ENTRY.match(recorded):
            raise RowError(f"the ring is {quoted(recorded)}, which does not begin with hash=vnodeKey")
        configuration = configurations[id_]
        ring = build_ring(tuple(configuration.cid_all), configuration.virtual_nodes, md5_hash)
        computed = " ".join(f"{hash_}={node.key}" for hash_, node in zip(ring.hashes, ring.nodes, strict=True))
        tally.compare(line, JAVA_V5, f"ring of configuration {id_}", recorded, computed)

    return check_rows(vectors, check_row, "\t".join(COLUMNS))
