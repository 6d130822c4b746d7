"""Inputs of a rebalance step as text for people."""

from collections.abc import Iterator, Mapping

from rebalance_proofs.recorded.transition.notation import ABSENT
from rebalance_proofs.recorded.transition.pairs import NAMES

LETTERS = {
    "d1": "dropped",
    "l1": "locked",
    "e1": "pull expired",
    "a1": "lock not renewed for 25 s",
    "c1": "consume lock held",
    "c2": "wait for the consume lock interrupted",
    "m1": "1 cached message",
}
"""Letter and number in a process queue's notation -> its text; all others are not mentioned."""
ORDER = {"0": "isOrder false", "1": "isOrder true"}
LISTENER = {"0": "concurrent listener", "1": "ordered listener"}
WORDS: Mapping[str, Mapping[str, str]] = {
    "model": {"C": "clustering", "B": "broadcasting"},
    "consumeOrderly": LISTENER,
    "argOrder": ORDER,
    "order": {number: f"{LISTENER[number]}, {ORDER[number]}" for number in ORDER},
    "topic": {"S": "", "O": "queue of another topic"},
    "inSet": {"0": "not in the new set", "1": "in the new set"},
    "lock": {
        "ok": "broker grants the lock",
        "denied": "broker denies the lock",
        "exc": "lock request fails",
        "nobroker": "broker address unknown",
        "unlockexc": "broker grants the lock, unlock request fails",
    },
    "persist": {"ok": "persist succeeds", "throw": "persist throws", "throw2": "second persist throws"},
    "updateRPC": {"ok": "offset update succeeds", "throw": "offset update fails"},
}
"""Column -> text of each cell."""
NAMED = {
    "mem": "offset in memory",
    "file": "offset file",
    "queryRPC": "offset query",
    "max": "maximal offset",
    "topic": "topic",
}
NOT_MENTIONED = frozenset({"table", "id", "mq"})


def described(cells: Mapping[str, str]) -> str:
    """Return the inputs of a call, by column, as one text; the columns of two queues begin with ``A.`` and ``B.``."""
    of_call = {column: cell for column, cell in cells.items() if "." not in column}
    parts = [", ".join(_parts(of_call))]
    for name in NAMES:
        own = {column[2:]: cell for column, cell in cells.items() if column.startswith(f"{name}.")}
        if own:
            parts.append(f"{name} {own['mq']}: {', '.join(_parts(own))}")
    return "; ".join(parts)


def _parts(cells: Mapping[str, str]) -> Iterator[str]:
    for column, cell in cells.items():
        if column in NOT_MENTIONED or (cell == ABSENT and column != "pre"):
            continue
        match column:
            case "pre":
                yield _process_queue(cell)
            case "off":
                yield _offset(cell)
            case _ if cell in WORDS.get(column, ()):
                if WORDS[column][cell]:
                    yield WORDS[column][cell]
            case _:
                yield f"{NAMED[column]} {cell}" if column in NAMED else cell


def _process_queue(state: str) -> str:
    if state == ABSENT:
        return "no process queue"
    found = [LETTERS[part] for part in map("".join, zip(state[::2], state[1::2], strict=True)) if part in LETTERS]
    return f"process queue ({', '.join(found)})" if found else "process queue"


def _offset(said: str) -> str:
    if said == "throw":
        return "readOffset throws"
    if not said.startswith("nf"):
        return f"stored offset {said}" if not said.startswith("-") else f"readOffset fails ({said})"
    queried = {"err": "that query fails", "rt": "that query throws"}.get(said[2:], f"the broker answers {said[2:]}")
    return f"no stored offset, {queried}"
