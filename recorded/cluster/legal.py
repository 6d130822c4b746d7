"""Metamorphic test of the recording checks: change recordings as a real group could have behaved, too.

A changed recording must be accepted if the recording is.
"""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from rebalance_proofs.recorded.cluster.trace import LOOK, Trace
from rebalance_proofs.recorded.groups.run import Run


class NotApplicable(Exception):
    """Error: a recording cannot be changed in this way."""


Line = dict[str, Any]
Lines = Mapping[str, list[Line]]
"""Process name -> the lines of its file, in the file's order."""
MERGED = 3
"""Milliseconds by which the second of two merged groups is later."""
AGAIN = 90_000
"""Milliseconds from the end of a run to its repetition."""
PORT = re.compile(r"\b127\.0\.0\.1:(\d+)")
TIME = re.compile(r'(@|"(?:at|subVersion|timestamp)": "?)(1\d{12})\b')
"""A value that is a time in milliseconds: of an event, in a version of a subscription, or in a request to reset."""
LISTED = re.compile(r"(@[\w.-]+):(\d+)")


def read(folder: Path) -> Lines:
    """The lines of all files of a recording."""
    found = {}
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found[path.name.removesuffix(".jsonl.gz")] = [json.loads(text) for text in file]
    return found


def trace(folder: Path, lines: Lines, release: str) -> Trace:
    """The trace of these lines; the lines of each process are numbered anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for who, of in ((who, of) for who, of in lines.items() if of):
        number, texts = 0, []
        for line in of:
            number = 0 if _begins(line) else number
            texts.append(json.dumps({**line, "n": number} if "n" in line else line))
            number += 1
        (folder / f"{who}.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    return Trace.read(Run(folder), release)


def _begins(line: Line) -> bool:
    """Whether a process begins with this line."""
    return line.get("n") == 0


def _is_poll(line: Line) -> bool:
    return line["ev"] in ("table", "entry")


def _key(line: Line) -> tuple[str, ...]:
    return (line["what"], line["of"]) if line["ev"] == "table" else (line["entry"],)


def _causes(row: Line, line: Line) -> bool:
    """Whether a line can be about the change that a poll has found; it is written after the change."""
    if row["ev"] == "entry":
        return line["ev"] in ("entry-new", "entry-gone") and line["entry"] == row["entry"]
    if line["ev"] != "answered":
        return False
    asked, code = line["asked"], line["code"]
    if row["what"] == "lock":
        return code in ("LOCK_BATCH_MQ", "UNLOCK_BATCH_MQ") and row["of"].partition(" ")[2] in asked.get("queues", ())
    if row["what"] == "offset":
        topic, _, rest = row["of"].partition("@")
        group, _, number = rest.rpartition(":")
        committed = asked.get("q"), asked.get("consumerGroup"), asked.get("commitOffset")
        return code == "UPDATE_CONSUMER_OFFSET" and committed == (f"{topic}:{number}", group, row["is"])
    return code == "HEART_BEAT" and any(one["group"] == row["of"] for one in asked.get("groups", ()))


def polled_earlier(lines: Lines, random: Random) -> Lines:
    """Each second poll is written before the line about the change that it has found."""
    return {who: _earlier(of, random) for who, of in lines.items()}


def _earlier(of: list[Line], random: Random) -> list[Line]:
    made: list[Line] = []
    for line in of:
        place = len(made)
        if _is_poll(line) and random.random() < 0.5:
            for back in range(len(made) - 1, -1, -1):
                before = made[back]
                if line["at"] - before["at"] > LOOK or (_is_poll(before) and _key(before) == _key(line)):
                    break
                if _causes(line, before):
                    place = back
                    break
        made.insert(place, {**line, "at": made[place]["at"]} if place < len(made) else line)
    return made


def polled_later(lines: Lines, random: Random) -> Lines:
    """Each poll is written up to 40 ms later, after other lines."""
    return {who: _later(of, random) for who, of in lines.items()}


def _later(of: list[Line], random: Random) -> list[Line]:
    by = 0
    last: Line = {}
    made = []
    for line in of:
        if _is_poll(line):
            by = by if last and line["at"] - last["at"] < 5 else random.randrange(40)
            last = line
            line = {**line, "at": line["at"] + by}
        made.append(line)
    lives = sorted({0, *(place for place, line in enumerate(made) if _begins(line))})
    parts = (made[since:until] for since, until in pairwise([*lives, len(made)]))
    return [line for part in parts for line in sorted(part, key=lambda one: one["at"])]


def poll_dropped(lines: Lines, random: Random) -> Lines:
    """Of two changes that polls have found within a second, the polls find both at once."""
    return {who: _dropped(of) for who, of in lines.items()}


def _dropped(of: list[Line]) -> list[Line]:
    made: list[Line] = []
    later: dict[tuple[str, ...], Line] = {}
    for line in reversed(of):
        if _begins(line):
            later.clear()
        if line["ev"] == "table":
            then = later.get(_key(line))
            if then is not None and then["at"] - line["at"] < 1_000 and then["was"] == line["is"]:
                then["was"] = line["was"]
                if then["is"] == then["was"]:
                    made.remove(then)
                    later.pop(_key(line))
                continue
            line = later[_key(line)] = dict(line)
        made.append(line)
    return made[::-1]


def all_paused(lines: Lines, random: Random) -> Lines:
    """The machine with all processes stops for 40 ms, several times."""
    times = [line["at"] for of in lines.values() for line in of]
    stops = sorted(random.randrange(min(times) + 1, max(times)) for _ in range(8))
    return _clocks(lines, lambda at: at + 40 * sum(stop <= at for stop in stops))


def _clocks(lines: Lines, clock: Callable[[int], int]) -> Lines:
    """The lines with other times, and with the values that are times: versions of subscriptions and resets."""

    def change(text: str) -> str:
        return TIME.sub(lambda found: f"{found[1]}{clock(int(found[2]))}", text)

    return _texts(lines, change)


def exchanged(lines: Lines, random: Random) -> Lines:
    """Of two lines in a row in one millisecond, with different threads as their causes, the second comes first."""
    return {who: _exchanged(of, random) for who, of in lines.items()}


def _exchanged(of: list[Line], random: Random) -> list[Line]:
    made, threads = [*of], dict[int, str]()
    for place, line in enumerate(made):
        before = made[place - 1] if place else line
        if line["ev"] == "ask":
            threads[line["opaque"]] = line["thread"]
        if line["at"] == before["at"] and _apart(before, line, threads) and random.random() < 0.5:
            made[place - 1], made[place] = line, before
    return made


def _apart(before: Line, line: Line, threads: Mapping[int, str]) -> bool:
    """Whether neither line can be the cause of the other.

    At a client, these are a request and the answer to another thread's request; at a broker, two requests on different
    connections, or one and the answer to another. A Netty thread can send a request of any thread.
    """
    if {before["ev"], line["ev"]} == {"ask", "answer"}:
        both = {threads.get(one["opaque"], "Netty") for one in (before, line)}
        return len(both) == 2 and not any(one.startswith("Netty") for one in both)
    events = before["ev"], line["ev"]
    return (
        events in (("heard", "heard"), ("heard", "answered"), ("answered", "heard")) and before["from"] != line["from"]
    )


def renamed(lines: Lines, random: Random) -> Lines:
    """All client ids and ports have other names; the order of the ids stays."""
    return _texts(lines, lambda text: _ports(text.replace("127.0.0.1@", "127.0.0.1@z"), 1_000))


def _ports(text: str, by: int) -> str:
    def other(number: str) -> int:
        return int(number) + by if int(number) > 20_000 else int(number)

    text = PORT.sub(lambda found: f"127.0.0.1:{other(found[1])}", text)
    return LISTED.sub(lambda found: f"{found[1]}:{other(found[2])}", text)


def _texts(lines: Lines, change: Callable[[str], str]) -> Lines:
    return {who: [json.loads(change(json.dumps(line))) for line in of] for who, of in lines.items()}


def cut(lines: Lines, random: Random) -> Lines:
    """The run ends earlier, at a moment at which little happens."""
    events = sorted((line for who, of in lines.items() if who != "driver" for line in of), key=lambda one: one["at"])
    middle = [one["at"] for one in events[len(events) // 3 : -len(events) // 5]]
    since, until = random.choice(sorted(pairwise(middle), key=lambda one: one[0] - one[1])[:10])
    end = (since + until + 1) // 2
    made = {who: [line for line in of if line["at"] < end] for who, of in lines.items()}
    made["driver"].append({"at": end, "who": "driver", "ev": "end"})
    return made


def merged(lines: Lines, random: Random) -> Lines:
    """A second group of equal consumers, with other ids and ports, consumes the same messages at the same broker."""
    consumers = [line["of"] for line in lines["driver"] if line["ev"] == "start-consumer"]
    copy = _copied(lines, consumers)
    brokers = [who for who, of in lines.items() if any(line["ev"] == "broker-started" for line in of)]
    second = {f"{who}_2": copy[who] for who in consumers if who in copy}
    second["driver"] = [line for line in copy["driver"] if str(line.get("of", "")).removesuffix("_2") in consumers]
    for who in brokers:
        pairs = zip(copy[who], lines[who], strict=True)
        # The rows of groups without a recorded consumer stay as they are.
        second[who] = [
            one for one, first in pairs if one != first and (one["ev"] != "table" or one["of"] != first["of"])
        ]
    made = {who: [*of] for who, of in lines.items()}
    for who, of in _clocks(second, lambda at: at + MERGED).items():
        made[who] = [*made.get(who, ()), *of]
    for who in ("driver", *(who for who in lines if who not in consumers)):
        made[who].sort(key=lambda one: (one["at"], not _begins(one)))
    return made


def _copied(lines: Lines, consumers: list[str]) -> Lines:
    groups = {line.get("group", "G") for line in lines["driver"] if line["ev"] == "start-consumer"}

    def change(text: str) -> str:
        for group in groups:
            text = re.sub(rf'(?<=["%@]){group}(?=[":@= ])', f"{group}_2", text)
        for who in consumers:
            text = re.sub(rf'"(of|who|id)": "{who}"', rf'"\1": "{who}_2"', text)
            text = re.sub(rf"127\.0\.0\.1@{who}\b", f"127.0.0.1@{who}_2", text)
        return _ports(text, 1_000)

    copy = _texts(lines, change)
    for line in (one for one in copy["driver"] if one["ev"] == "start-consumer"):
        line.setdefault("group", "G_2")
    return copy


def repeated(lines: Lines, random: Random) -> Lines:
    """The run happens again later, with new processes that have the same names, ids and ports; topics are others.

    The broker keeps committed offsets. The groups' retry topics stay the same, so the broker must have known an offset
    of them from the beginning.
    """
    answers = [line for of in lines.values() for line in of if line.get("code") == "QUERY_CONSUMER_OFFSET"]
    asked = [line for line in answers if line["ev"] == "answered" and line["asked"]["q"].startswith("%RETRY%")]
    if any(line["said"]["code"] != 0 for line in asked):
        raise NotApplicable
    start, end = min(line["at"] for line in lines["driver"]), max(line["at"] for line in lines["driver"])
    by = end - start + AGAIN

    again = _texts(_clocks(lines, lambda at: at + by), lambda text: re.sub(r"\bT(\d)\b", r"U\1", text))
    ends = {line["of"]: line["at"] for line in lines["driver"] if _ends(line)}
    left = [who for who, of in lines.items() if who != "driver" and of and of[-1]["at"] > ends.get(who, 0)]
    killed = [{"at": end, "who": "driver", "ev": "signal", "of": who, "signal": "SIGKILL"} for who in left]
    first = {who: [line for line in of if line["at"] <= end] for who, of in lines.items()}
    first["driver"] = [line for line in first["driver"] if line["ev"] != "end"]
    return {who: [*first[who], *(killed if who == "driver" else ()), *again[who]] for who, of in lines.items()}


def _ends(line: Line) -> bool:
    return line["ev"] in ("ended", "broker-ended") or line.get("signal") == "SIGKILL"


CHANGES: Mapping[str, Callable[[Lines, Random], Lines]] = {
    "polled earlier": polled_earlier,
    "polled later": polled_later,
    "poll dropped": poll_dropped,
    "exchanged": exchanged,
    "all paused": all_paused,
    "renamed": renamed,
    "cut": cut,
    "merged": merged,
    "repeated": repeated,
}
"""Name of a legal change -> function that makes it; the second argument draws its details."""


def changed(folder: Path, release: str, kind: str, seed: int, to: Path) -> Trace:
    """The trace after a random change of that kind; the same seed makes the same change."""
    return trace(to, CHANGES[kind](read(folder), Random(f"{folder.name} {kind} {seed}")), release)
