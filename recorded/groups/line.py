"""One line of a recording: an event, and its time by the clock of the machine."""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.recorded.groups.driver import StartConsumer
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.names import DRIVER, PROCESSES
from rebalance_proofs.recorded.groups.record import Value, as_record, parsed
from rebalance_proofs.recorded.text import quoted

SETTER = "set_"


@dataclass(frozen=True, slots=True)
class Stamped:
    """The parts that every line has, and the rest."""

    epoch: int
    """Milliseconds since 1970."""
    who: str
    ev: str
    n: int | None
    rest: Mapping[str, Value]


def stamped(text: str, who: str) -> Stamped:
    """The line of the process named ``who``. Raises ``ValueError``."""
    found = parsed(text)
    epoch, said, ev, n = (found.pop(key, None) for key in ("at", "who", "ev", "n"))
    if type(epoch) is not int:
        raise ValueError(f'"at" is {quoted(epoch)}, not a number')
    if said != who:
        raise ValueError(f'"who" is {quoted(said)}, in the file of {who}')
    if not isinstance(ev, str) or ev not in (DRIVER if who == "driver" else PROCESSES):
        raise ValueError(f"no event is called {quoted(ev)}")
    if type(n) is not int and (n is not None or who != "driver"):
        raise ValueError(f'"n" is {quoted(n)}, not a number')
    return Stamped(epoch, who, ev, n, found)


def event(line: Stamped, start: int) -> Event:
    """The event of a line, in a run whose ``start`` is in milliseconds since 1970. Raises ``ValueError``."""
    kind = (DRIVER if line.who == "driver" else PROCESSES)[line.ev]
    known: dict[str, object] = {"at": line.epoch - start, "who": line.who, "n": line.n}
    rest = line.rest
    if kind is StartConsumer:
        rest = _with_settings(rest)
    return as_record(kind, rest, line.ev, **known)


def _with_settings(found: Mapping[str, Value]) -> Mapping[str, Value]:
    """The mapping with its keys ``set_...`` moved into ``settings``."""
    settings: dict[str, Value] = {key.removeprefix(SETTER): found[key] for key in found if key.startswith(SETTER)}
    return {key: found[key] for key in found if not key.startswith(SETTER)} | {"settings": settings}
