"""Parse one line of a recording into an event; its time is that of the machine's clock."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.driver import StartBroker, StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.names import DRIVER, PROCESSES, Beyond
from rebalance_proofs.recorded.groups.record import UnknownKey, Value, as_record, parsed
from rebalance_proofs.recorded.rows import quoted

SETTER = "set_"


@dataclass(frozen=True, slots=True)
class Stamped:
    """A line of a recording, with the parts that all lines have, and the rest not yet parsed."""

    epoch: int
    """Time in milliseconds since 1970."""
    who: str
    ev: str
    n: int | None
    rest: dict[str, Value]
    row: int = 0
    """Number of the line in its file, from 1."""
    known: bool = True
    """True if the format defines an event with the line's name."""


def stamped(text: str, who: str, beyond: Beyond | None = None, row: int = 0) -> Stamped:
    """Parse the common parts of a line of the process ``who``.

    Raises ``ValueError``, but not for unknown events if ``beyond`` is given.
    """
    found = parsed(text)
    epoch, said, ev, n = (found.pop(key, None) for key in ("at", "who", "ev", "n"))
    if type(epoch) is not int:
        raise ValueError(f'"at" is {quoted(epoch)}, not a number')
    if said != who:
        raise ValueError(f'"who" is {quoted(said)}, but the file belongs to {who}')
    known = isinstance(ev, str) and ev in (DRIVER if who == "driver" else PROCESSES)
    if not isinstance(ev, str) or (beyond is None and not known):
        raise ValueError(f"unknown event {quoted(ev)}")
    if beyond is not None and not known:
        beyond.events[ev] += 1
    if type(n) is not int and (n is not None or who != "driver"):
        raise ValueError(f'"n" is {quoted(n)}, not a number')
    return Stamped(epoch, who, ev, n, found, row, known)


def event(line: Stamped, start: int, beyond: Beyond | None = None) -> Event:
    """Return the event of a line.

    ``start``: start of the run in milliseconds since 1970. Raises ``ValueError``; with ``beyond``, unknown keys are
    counted and skipped instead.
    """
    kind = (DRIVER if line.who == "driver" else PROCESSES)[line.ev]
    known: dict[str, object] = {"at": line.epoch - start, "who": line.who, "n": line.n, "row": line.row}
    rest = _with_settings(line.rest) if kind in (StartBroker, StartConsumer) else line.rest
    while True:
        try:
            return as_record(kind, rest, line.ev, **known)
        except UnknownKey as unknown:
            if beyond is None:
                raise
            beyond.keys[f"{unknown.of} has {quoted(unknown.key)}"] += 1
            del unknown.found[unknown.key]


def _with_settings(found: Mapping[str, Value]) -> dict[str, Value]:
    """Return a line's fields with its keys ``set_...`` moved into one field ``settings``."""
    settings: dict[str, Value] = {key.removeprefix(SETTER): found[key] for key in found if key.startswith(SETTER)}
    return {key: found[key] for key in found if not key.startswith(SETTER)} | {"settings": settings}
