"""Find the lines of a log that say nothing about a group, many at once."""

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from rebalance_proofs.recorded.logs.commits import COMMIT
from rebalance_proofs.recorded.logs.named import longest_parts
from rebalance_proofs.recorded.logs.search import PARTS
from rebalance_proofs.recorded.logs.waiting import LISTED

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

BEYOND = (
    b"Pop",
    b"pop",
    b"nvisible",
    b"revive",
    b"AckM",
    b".java.",
    b".apis.",
    b".v2",
    b"Impl",
    b"proxy.",
    b"Activity",
)
"""Parts, at least one of which is in every line of ``POP`` and ``GRPC``; they are searched faster."""
POP = re.compile(
    rb"\bpop mq\b|Pop(?:ProcessQueue|Request|Revive|Buffer|Message|CheckPoint|Consum)|popMessage|changeInvisibleTime|"
    rb"\breviveQueueId|AckMessageProcessor"
)
GRPC = re.compile(
    rb"(?:rocketmq|\br)\.client\.(?:java|apis)\.|apache\.rocketmq\.v2|\b(?:Push|Simple)ConsumerImpl|\bProcessQueueImpl"
    rb"|rocketmq\.proxy\.|ReceiveMessageActivity|GrpcMessagingActivity"
)
PART = 10
"""Length in bytes of the parts of wordings that are searched; few wordings share them with other lines."""
MARKUP = r"[\x80-\xff\x1b\\&<]|\*\*|@kibana-"
"""Pattern of all bytes that can make a line's plain text another one."""


@cache
def _pattern() -> str:
    """Return a pattern of all lines that can say something; it also matches some that do not.

    The syntax is RE2's, which searches all alternatives at once. It needs few and short alternatives, so of each
    wording one short part is searched.
    """
    wordings = {*PARTS, *longest_parts(), COMMIT, LISTED}
    often = Counter(part for one in wordings for part in _short(one))
    parts = {max(_short(one), key=lambda part: (often[part], part)) for one in wordings}
    literals = sorted(re.escape(part.decode()).replace("\\ ", " ") for part in parts)
    return "|".join((*literals, POP.pattern.decode(), GRPC.pattern.decode(), MARKUP, "DESC: "))


def _short(wording: bytes) -> set[bytes]:
    return {wording[place : place + PART] for place in range(max(1, len(wording) - PART + 1))}


def unrelated(piece: bytes, ends: "npt.NDArray[np.int64]", asked: "npt.NDArray[np.bool_]") -> "npt.NDArray[np.bool_]":
    """Return for each line that is asked about whether it says nothing about a group.

    ``ends``: 0, and the position after each line.
    """
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    lines = pa.Array.from_buffers(
        pa.large_binary(), len(ends) - 1, [None, pa.py_buffer(np.ascontiguousarray(ends)), pa.py_buffer(piece)]
    )
    found = pc.match_substring_regex(lines.filter(pa.array(asked)), _pattern())
    return ~np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)
