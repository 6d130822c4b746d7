"""Runs that are written down for a test: a few lines for each process."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.groups.run import Run
from rebalance_proofs.recorded.seen.history import History

START = 1_795_460_711_000
Q = "T1:b0:0"


class Made:
    """Lines of a run; times are in ms since its start."""

    def __init__(self, release: str = "5.3.3") -> None:
        self._release = release
        self._lines: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self.line("driver", 0, "start-name-server")
        self.line("driver", 0, "start-broker", of="b0")
        self.line("b0", 0, "broker-started")

    def line(self, who: str, at: int, ev: str, **more: Any) -> "Made":
        """One line; ``from_`` and ``is_`` are keys without the underscore."""
        found = {key.rstrip("_"): value for key, value in more.items()}
        self._lines[who].append({"at": START + at, "who": who, "ev": ev, **found})
        return self

    def member(self, who: str, at: int = 10, **options: Any) -> "Made":
        """A member that has joined."""
        self.line("driver", at, "start-consumer", of=who, **{"id": who, "ms": 20, **options})
        return self.line(who, at, "started", clientId=f"127.0.0.1@{options.get('id', who)}")

    def sent(self, offset: int, at: int, q: str = Q, tag: str = "A") -> "Made":
        """A message that is stored; its key is the offset, and the queue where that is another one."""
        return self.line("p", at, "sent", q=q, offset=offset, key=key(offset, q), tag=tag, status="SEND_OK")

    def call(self, who: str, offset: int, begin: int, end: int | None, q: str = Q, last: int | None = None) -> "Made":
        """A call with the messages from ``offset`` to ``last``; without an end, it does not return."""
        offsets = [*range(offset, (offset if last is None else last) + 1)]
        keys = [key(each, q) for each in offsets]
        more = {"tag": "A", "reconsumeTimes": 0, "bornAgo": 0, "thread": "t"}
        self.line(who, begin, "begin", q=q, offsets=offsets, keys=keys, **more)
        if end is not None:
            self.line(who, end, "end", q=q, from_=offset, to=offsets[-1], result="SUCCESS")
        return self

    def entry(self, who: str, begin: int, read: int, end: int | None = None, q: str = Q, **gone: Any) -> "Made":
        """An entry of a queue, which began at the committed offset ``read``."""
        name = f"{who}{begin}"
        self.line(who, begin - 1, "offset-read", q=q, type="READ_FROM_STORE", result=read)
        self.line(who, begin, "entry-new", q=q, entry=name, locked=True)
        if end is not None:
            more = {"how": "remove", "dropped": True, "locked": True, "messages": 0, "since_pull": 0} | gone
            self.line(who, end, "entry-gone", q=q, entry=name, **more)
        return self

    def pulled(self, who: str, at: int, *got: int, q: str = Q) -> "Made":
        """A pull's result."""
        return self.line(who, at, "pulled", q=q, status="FOUND", next=max(got) + 1, min=0, max=100, got=[*got])

    def committed(self, at: int, was: int | None, now: int | None, group: str = "G", q: str = Q) -> "Made":
        """A change of the broker's table."""
        topic, broker, number = q.split(":")
        said = [None if each is None else str(each) for each in (was, now)]
        return self.line(broker, at, "table", what="offset", of=f"{topic}@{group}:{number}", was=said[0], is_=said[1])

    def signal(self, who: str, at: int, name: str) -> "Made":
        """A signal of the driver's."""
        return self.line("driver", at, "signal", of=who, signal=name)

    def history(self, folder: Path, end: int, calm: bool | None = True) -> History:
        """The run, read from a folder that is new; it is cut off where ``calm`` is None."""
        if calm is not None:
            self.line("driver", end, "calm" if calm else "not-calm")
        self.line("driver", end, "end")
        place = folder / f"java-{self._release}" / "made"
        place.mkdir(parents=True)
        for who, lines in self._lines.items():
            lines.sort(key=lambda line: line["at"])
            numbered = [line if who == "driver" else line | {"n": n} for n, line in enumerate(lines)]
            (place / f"{who}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in numbered), encoding="utf-8")
        return History(Run(place))


def key(offset: int, q: str = Q) -> str:
    """The key of a message."""
    return f"{q.partition(':')[0]}-{offset}" if q == Q else f"{q}-{offset}"
