"""The environment of the processes that run a user's code: its variables, and settings that differ between members."""

import ctypes
import os
import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.own.call import Call

PASSED = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "TMP", "TEMP"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONHASHSEED", "PYTHONUTF8", "VIRTUAL_ENV", "LD_LIBRARY_PATH"),
    *("JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"),
)
"""Names of the variables that foreign code gets; all that begin with ``LC_`` too. SECURITY.md lists them."""

ENVIRONMENT = "env"
PROPERTY = "property"
ARGUMENT = "arg"
ATTRIBUTE = "attr"
ANY = ""
KINDS = (ENVIRONMENT, PROPERTY, ARGUMENT, ATTRIBUTE)
"""Kinds of settings: a variable, a system property of Java, a constructor argument, an attribute or field."""


@dataclass(frozen=True)
class Setting:
    """One setting of a strategy's process; members of a group may have different values of it."""

    kind: str
    """One of ``KINDS``; empty for all kinds that the name has."""
    name: str
    value: str

    def of(self, *kinds: str) -> bool:
        """Return whether the setting is of one of these kinds."""
        return self.kind in (ANY, *kinds)


@dataclass(frozen=True)
class Surroundings:
    """The variables that foreign code gets besides ``PASSED``, its settings, and the name of its consumer group."""

    names: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = ()
    consumer_group: str = ""
    """The group's name in all calls; empty for the names of the tried groups."""

    def called(self, calls: Sequence[Call]) -> Sequence[Call]:
        """Return the calls with the group's name."""
        name = self.consumer_group
        return [call._replace(consumer_group=name) for call in calls] if name else calls

    def variables(self) -> dict[str, str]:
        """Return the environment of a process with foreign code."""
        found = {name: value for name, value in os.environ.items() if _passes(name, self.names)}
        return found | {one.name: one.value for one in self.settings if one.of(ENVIRONMENT)}

    def withheld(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names of these variables that are set, but that foreign code does not get."""
        passed = self.variables()
        return tuple(name for name in names if name in os.environ and name not in passed)


NONE = Surroundings()


def _passes(name: str, more: Collection[str]) -> bool:
    return name in PASSED or name in more or name.startswith("LC_")


def drop(more: Iterable[str] = ()) -> None:
    """Remove all other variables from this process, before it runs foreign code itself."""
    hide()
    for name in [name for name in os.environ if not _passes(name, tuple(more))]:
        del os.environ[name]


_hidden: list[int] = []


def hide() -> None:
    """Overwrite the memory that Linux shows as this process's ``/proc/PID/environ``.

    Child processes can read that file. This process keeps its variables: they are copied first.
    """
    if os.getpid() in _hidden or sys.platform != "linux":
        return
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        start, end = int(fields[47]), int(fields[48])  # env_start and env_end, fields 50 and 51 in proc(5)
    except (OSError, ValueError, IndexError):
        return
    if not 0 < start < end:
        return
    for name, value in os.environ.items():
        os.environ[name] = value  # the C library then has its own copy, outside that memory
    _leave_block(start, end)
    ctypes.memset(start, 0, end - start)
    _hidden.append(os.getpid())


def _leave_block(start: int, end: int) -> None:
    """Remove the C library's entries that still point into the block, such as those without a name."""
    pointers = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), "environ")
    kept, place = [], 0
    while pointers and pointers[place]:
        if not start <= pointers[place] < end:
            kept.append(pointers[place])
        place += 1
    for number, pointer in enumerate([*kept, None]):
        if number <= place and pointers:
            pointers[number] = pointer
