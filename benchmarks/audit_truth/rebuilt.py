"""A scenario's logs, as they are or with lines of commits that a build of the client does not write."""

import gzip
from pathlib import Path

from benchmarks.audit_truth.happened import Happened
from rebalance_proofs.recorded.logs.times import date_of


def logs(folder: Path, place: Path, really: Happened, rebuilt: bool) -> list[str]:
    """Paths of a scenario's logs; with ``rebuilt``, of copies in ``place`` with lines for commits that were sent."""
    paths = sorted([*folder.glob("logs/*.log.gz"), *folder.glob("*.log.gz")])
    if not rebuilt:
        return [str(path) for path in paths]
    for path in paths:
        who = path.name.split(".")[0]
        lines = gzip.decompress(path.read_bytes()).decode("utf-8", "replace").splitlines(keepends=True)
        for at, own, group, queue, offset in really.commits:
            if own == who:
                topic, number = queue.split(":")
                name = f"MessageQueue [topic={topic}, brokerName=b0, queueId={number}]"
                lines.append(
                    f"{date_of(at):%Y-%m-%d %H:%M:%S},{at % 1000:03} INFO [MQClientFactoryScheduledThread] "
                    f"RemoteBrokerOffsetStore - [persistAll] Group: {group} ClientId: 127.0.0.1@{who} "
                    f"updateConsumeOffsetToBroker {name} {offset}\n"
                )
        # Lines without a time stay behind theirs.
        keyed, head = [], ""
        for line in lines:
            head = line[:23] if line[:2] == "20" else head
            keyed.append((head, line))
        place.mkdir(exist_ok=True)
        (place / path.name.removesuffix(".gz")).write_text(
            "".join(line for _, line in sorted(keyed, key=lambda one: one[0])), encoding="utf-8"
        )
    return [str(place)]
