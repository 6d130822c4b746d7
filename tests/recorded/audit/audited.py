"""Audits of logs that a test writes, and the truth of recorded groups."""

import gzip
import json
from pathlib import Path

from rebalance_proofs.recorded.audit.audit import audit
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.sources import sources

RECORDED = Path(__file__).parents[3] / "recorded"
LOGS = RECORDED / "logs"


def audited(place, logs, asked=None):
    """The audit of logs by file name, and the single group if there is one."""
    folder = place / "logs"
    folder.mkdir(exist_ok=True)
    for name, text in logs.items():
        (folder / name).write_bytes(("".join(text) if isinstance(text, list) else text).encode())
    (place / "spool").mkdir(exist_ok=True)
    found, _ = sources([str(folder)], place / "spool")
    return audit(found, asked or Asked())


def of_recorded(scenario, place, asked=None):
    """The audit of a recorded scenario's logs."""
    found, _ = sources([str(LOGS / scenario)], place)
    return audit(found, asked or Asked())


def truth(scenario, names):
    """{(who, queue): [(begin, end)]} of the members' entries, by their events; ms since 1970."""
    held, open_ = {}, {}
    for who in names:
        with gzip.open(RECORDED / "groups" / scenario / f"{who}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for event in map(json.loads, lines):
                last = event["at"]
                if event["ev"] == "entry-new":
                    open_[who, event["q"]] = event["at"]
                elif event["ev"] == "entry-gone" and (who, event["q"]) in open_:
                    held.setdefault((who, event["q"]), []).append((open_.pop((who, event["q"])), event["at"]))
        for key in [one for one in open_ if one[0] == who]:
            held.setdefault(key, []).append((open_.pop(key), last))
    return held
