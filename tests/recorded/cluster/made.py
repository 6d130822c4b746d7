"""Small traces that are made, an event a line, as a recording has them."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.run import Run

EPOCH = 1_700_000_000_000
Event = dict[str, Any]
LOCK, UNLOCK, BEAT = "LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ", "HEART_BEAT"
NOTE = {"said": {"consumerGroup": "G"}, "from": "127.0.0.1:9"}
"""Fields of a notification."""
UNTOLD = "the member is listed before and after, and was not notified"


def event(at: int, who: str, ev: str, **fields: Any) -> Event:
    """One line; ``at``: ms since the driver's first event."""
    return {"at": EPOCH + at, "who": who, "ev": ev, **fields}


def begun(*starts: Mapping[str, Any]) -> list[Event]:
    """The broker is started, and consumers with these fields."""
    lines = [event(0, "driver", "start-broker", of="b0"), event(1, "b0", "broker-starting")]
    lines += [event(2, "b0", "broker-started")]
    return lines + [event(3, "driver", "start-consumer", ms=20, **one) for one in starts]


def call(
    who: str, code: str, opaque: int, times: tuple[int, int, int], port: int, said: Event, answer: Event
) -> list[Event]:
    """A request that is asked, heard and answered at these times."""
    asked, heard, answered = times
    thread = "RebalanceService" if code == LOCK else "main"
    ask = {"oneway": False, "said": said, "to": "127.0.0.1:1", "thread": thread}
    from_ = {"code": code, "opaque": opaque, "from": f"127.0.0.1:{port}"}
    return [
        event(asked, who, "ask", code=code, opaque=opaque, **ask),
        event(heard, "b0", "heard", **from_, said=said),
        event(answered, "b0", "answered", **from_, asked=said, said=answer),
        event(answered, who, "answer", code=code, opaque=opaque, said=answer),
    ]


def joins(client_id: str, port: int, at: int, group: str = "G") -> list[Event]:
    """The heartbeat of a client that is not recorded."""
    said = {"clientID": client_id, "groups": [{"group": group, "subs": {"T1": f"*@{EPOCH}"}}]}
    from_ = {"code": BEAT, "opaque": 1, "from": f"127.0.0.1:{port}"}
    heard = event(at, "b0", "heard", **from_, said=said)
    return [heard, event(at + 1, "b0", "answered", **from_, asked=said, said={"code": 0})]


def trace(folder: Path, lines: Iterable[Event], release: str = "4.9.8") -> Trace:
    """The trace of these lines, in order of time; of one millisecond in the order given."""
    folder.mkdir(parents=True, exist_ok=True)
    count = Counter[str]()
    files: dict[str, list[str]] = {}
    for line in sorted(lines, key=lambda one: one["at"]):
        who = line["who"]
        number = {} if who == "driver" else {"n": count[who]}
        files.setdefault(who, []).append(json.dumps({**line, **number}))
        count[who] += 1
    for who, texts in files.items():
        (folder / f"{who}.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return Trace.read(Run(folder), release)


def whys(of: Trace, machine: str, about: str = "") -> list[str]:
    """Why the machine does not accept the trace; of what is about that."""
    return [one.why for one in CHECKS[machine](of, Calls(of)).rejected if one.about.startswith(about)]
