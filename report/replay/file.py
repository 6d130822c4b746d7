"""Read trace files (Informal Trace Format, ITF), and make the checks that apply to every trace."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rebalance_proofs.report.itf import FORMAT

States = Sequence[Mapping[str, Any]]
LARGEST, STATES = 4_000_000, 200
"""Largest number of bytes and of states in a file.

Traces that this project writes are far smaller.
"""


class NotATrace(Exception):
    """Raised for a file that is no trace that can be replayed; the message gives the reason."""


def document(path: Path) -> Any:
    """Return the parsed JSON of a file. Raises ``NotATrace``."""
    try:
        if not path.is_file():
            raise NotATrace("the file does not exist" if not path.exists() else "it is not a file")
        size = path.stat().st_size
        if size > LARGEST:
            raise NotATrace(f"the file has {size:,} bytes, but a trace has at most {LARGEST:,}")
        return json.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise NotATrace(f"the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise NotATrace("the file is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise NotATrace(f"the file is not JSON, or is truncated (line {error.lineno}: {error.msg})") from None
    except (RecursionError, ValueError):
        raise NotATrace("the file is not JSON of a trace") from None


def recipe(meta: Mapping[str, Any], command: str) -> Mapping[str, Any]:
    """Return the replay data in a trace's ``#meta``. Raises ``NotATrace``.

    ``command``: the command that writes such traces, for the message.
    """
    replay = meta.get("replay")
    if not isinstance(replay, dict):
        raise NotATrace(f"an earlier version wrote the trace, without replay data; `{command}` writes a new one")
    if replay.get("format") != FORMAT or type(replay.get("format")) is not int:
        raise NotATrace(
            f"the trace has format {replay.get('format')!r}, but this version reads format {FORMAT}; `{command}` "
            "writes a new one"
        )
    return replay


def states(found: Mapping[str, Any], variables: Iterable[str], whose: str) -> States:
    """Return all states of a trace, with their ``#meta``. Raises ``NotATrace``.

    ``variables``: the trace's required variables. ``whose``: the owner of this list, for the message.
    """
    every, names = found.get("states"), list(variables)
    if not isinstance(every, list) or not every or not all(isinstance(state, dict) for state in every):
        raise NotATrace("the trace has no states")
    if len(every) > STATES:
        raise NotATrace(f"the trace has {len(every):,} states, but at most {STATES} are allowed")
    if found.get("vars") != names:
        raise NotATrace(f"the trace does not have the variables of {whose}: {', '.join(names)}")
    return every


def bare(every: States) -> States:
    """Return the states without their ``#meta``."""
    return [{name: value for name, value in state.items() if name != "#meta"} for state in every]


def does(every: States) -> list[Mapping[str, Any]]:
    """Return the recorded action of each state from the second on.

    Empty if the replay data of the whole trace suffices. Raises ``NotATrace`` if only some states have an action.
    """
    metas = [state.get("#meta") for state in every[1:]]
    found = [meta.get("does") if isinstance(meta, dict) else None for meta in metas]
    if not any(found):
        return []
    steps: list[Mapping[str, Any]] = []
    for number, step in enumerate(found, start=1):
        if not isinstance(step, dict):
            raise NotATrace(f"state {number} of the trace does not contain its action")
        steps.append(step)
    return steps
