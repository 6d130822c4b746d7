"""``ring_dump.tsv``: the whole ring of the Java client's CONSISTENT_HASH, virtual node by virtual node."""

import re

from rebalance_proofs.model.allocation.consistent_hash import build_ring, md5_hash
from rebalance_proofs.model.profiles.java_v5 import JAVA_V5
from rebalance_proofs.recorded.files import Line
from rebalance_proofs.recorded.hash_configurations import Configurations, configuration_of
from rebalance_proofs.recorded.readers import Row, anything
from rebalance_proofs.recorded.tally import RowError, Tally
from rebalance_proofs.recorded.text import quoted
from rebalance_proofs.recorded.tsv import Table, number

ENTRY = re.compile(r"[0-9]+=.+")
RING_ROWS = Table({"config_id": number, "ring_entries_ascending: hash=vnodeKey": anything})


def check_ring(tally: Tally, line: Line, row: Row, configurations: Configurations) -> None:
    """Every hash and key, in the recorded order."""
    id_, recorded = row
    configuration = configuration_of(id_, configurations)
    if recorded and not ENTRY.match(recorded):
        raise RowError(f"the ring is {quoted(recorded)}, which does not begin with hash=vnodeKey")
    ring = build_ring(tuple(configuration.cid_all), configuration.virtual_nodes, md5_hash)
    computed = " ".join(f"{hash_}={node.key}" for hash_, node in zip(ring.hashes, ring.nodes, strict=True))
    tally.compare(line, JAVA_V5, f"ring of configuration {id_}", recorded, computed)
