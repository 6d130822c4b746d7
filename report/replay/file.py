"""Files in the Informal Trace Format: reading, and checks that apply to every trace."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rebalance_proofs.report.itf import FORMAT

__all__ = ["NotATrace", "States", "bare", "document", "does", "recipe", "states"]

States = Sequence[Mapping[str, Any]]
LARGEST, STATES = 4_000_000, 200
"""Limits on bytes of a file, and on its states; this project's traces are far smaller."""


class NotATrace(Exception):
    """The file cannot be replayed; the message says why."""


def document(path: Path) -> Any:
    """The JSON in the file. Raises ``NotATrace``."""
    try:
        if not path.is_file():
            raise NotATrace("there is no such file" if not path.exists() else "that is no file")
        size = path.stat().st_size
        if size > LARGEST:
            raise NotATrace(f"it has {size:,} bytes, and no trace has more than {LARGEST:,}")
        return json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise NotATrace(f"it cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NotATrace("it is no text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotATrace(f"it is no JSON, or was cut short (line {error.lineno}: {error.msg})") from None
    except (RecursionError, ValueError):
        raise NotATrace("it is no JSON that can be a trace") from None


def recipe(meta: Mapping[str, Any], anew: str) -> Mapping[str, Any]:
    """The trace's replay data; ``anew``: the command that writes such a trace. Raises ``NotATrace``."""
    replay = meta.get("replay")
    if not isinstance(replay, dict):
        raise NotATrace(f"it does not say how it is run again, as an earlier version wrote it: `{anew}` writes it anew")
    if replay.get("format") != FORMAT or type(replay.get("format")) is not int:
        raise NotATrace(f"it is of another version: format {replay.get('format')!r}, and this one reads {FORMAT}")
    return replay


def states(found: Mapping[str, Any], variables: Iterable[str], whose: str) -> States:
    """All states, with their ``#meta``. Raises ``NotATrace`` if the variables are not exactly these."""
    every, names = found.get("states"), list(variables)
    if not isinstance(every, list) or not every or not all(isinstance(state, dict) for state in every):
        raise NotATrace("it has no states")
    if len(every) > STATES:
        raise NotATrace(f"it has {len(every):,} states, and no trace has more than {STATES}")
    if found.get("vars") != names:
        raise NotATrace(f"its variables are not those of {whose}: {', '.join(names)}")
    return every


def bare(every: States) -> States:
    """The states without their ``#meta``."""
    return [{name: value for name, value in state.items() if name != "#meta"} for state in every]


def does(every: States) -> list[Mapping[str, Any]]:
    """The recorded action of each state from the second on; empty if all replay data is in the whole trace.

    Raises ``NotATrace`` if only some states have one.
    """
    metas = [state.get("#meta") for state in every[1:]]
    found = [meta.get("does") if isinstance(meta, dict) else None for meta in metas]
    if not any(found):
        return []
    steps: list[Mapping[str, Any]] = []
    for number, step in enumerate(found, start=1):
        if not isinstance(step, dict):
            raise NotATrace(f"state {number} does not say what was done")
        steps.append(step)
    return steps
