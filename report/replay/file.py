"""Read trace files (Informal Trace Format, ITF), and make the checks that apply to every trace."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.played import FORMAT
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.shown import NotARun

# Differences between a state in a trace and a replayed state, value by value.

MISSING = object()


def different(told: Any, state: Any, where: str = "", by: str = "in the client's code") -> Iterator[str]:
    """Yield a sentence for each value that differs between the trace (``told``) and the replay (``state``).

    True and 1 differ. ``where`` is the path of the value, ``by`` names the source of ``state``.
    """
    if isinstance(told, dict) and isinstance(state, dict):
        for name in dict.fromkeys((*state, *told)):
            yield from different(
                told.get(name, MISSING), state.get(name, MISSING), f"{where}.{name}" if where else name, by
            )
    elif isinstance(told, list) and isinstance(state, list) and len(told) == len(state):
        for place, (one, other) in enumerate(zip(told, state, strict=True)):
            yield from different(one, other, f"{where}[{place}]", by)
    elif type(told) is not type(state) or told != state:
        yield f"`{where}` is {_short(told)} in the trace, and {_short(state)} {by}"


def _short(value: Any) -> str:
    if value is MISSING:
        return "missing"
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= 80 else f"{words[:79]}…"


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


# Read the trace of a claim's counterexample, and find the claim.


@dataclass(frozen=True)
class Trace:
    """The trace of a claim's counterexample, ready for a replay."""

    claim: Claim
    replay: Mapping[str, Any]
    """Replay data of the whole trace, from its ``#meta``."""
    steps: Sequence[Mapping[str, Any]]
    """Replay data of each step; empty if ``replay`` suffices."""
    states: States
    """The states without their ``#meta``."""


def checked(document: Any) -> Trace:
    """Check a parsed trace file, and return its trace. Raises ``NotATrace``."""
    meta = document.get("#meta") if isinstance(document, dict) else None
    if not isinstance(meta, dict) or meta.get("format") != "ITF":
        raise NotATrace("the file is not a trace in the ITF format")
    claim = LEDGER.find(str(meta.get("source")))
    if claim is None:
        raise NotATrace(f"its claim is unknown to this version: {meta.get('source')!r}")
    replay = recipe(meta, f"rebalance prove {claim.id} --output DIR")
    every = states(document, shown(claim).types, claim.id)
    return Trace(claim, replay, does(every), bare(every))


# Run the trace of a claim's counterexample on the modelled client code, and compare the states.


@dataclass(frozen=True)
class Held:
    """Result of comparing a trace with the modelled client code."""

    example: Counterexample
    """The counterexample as the modelled client code produced it in the replay."""
    states: int = 0
    """Number of states of the trace; all agree if ``wrong`` is empty."""
    wrong: str = ""
    """The first difference in a sentence; empty if all states agree and the guarantee is broken."""


def held(trace: Trace) -> Held:
    """Run a trace on the modelled client code.

    Raises ``NotATrace`` if a recorded action is invalid.
    """
    claim, kind = trace.claim, shown(trace.claim)
    if kind.again is None:
        raise NotATrace(
            f"traces of the kind {claim.kind!r} cannot be replayed; `rebalance replay {claim.id}` replays the claim"
        )
    try:
        ran = kind.again.run(claim, trace.replay, trace.steps)
    except NotARun as error:
        raise NotATrace(f"the actions of the trace cannot be run: {error}") from None
    does = json.loads(json.dumps(kind.states(claim, ran.example)))
    wrong = _differs(trace, does)
    if not wrong and ran.stopped:
        wrong = f"{_named(trace, len(does))}: {ran.stopped}."
    if not wrong and len(does) != len(trace.states):
        wrong = f"the trace has {len(trace.states)} states, and the replay has {len(does)}."
    if not wrong and not ran.example.sentence:
        wrong = "the client's code takes all steps, but no guarantee is broken at the end."
    return Held(ran.example, len(trace.states), wrong)


def _differs(trace: Trace, does: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about the first state that differs.

    Empty if all states that both have agree.
    """
    for number, (told, state) in enumerate(zip(trace.states, does, strict=False)):
        differs = next(different(told, state), "")
        if differs:
            return f"{_named(trace, number)}: {differs}."
    return ""


def _named(trace: Trace, number: int) -> str:
    """Return the name of state ``number`` for messages: ``step 3 (locks)``, ``state 0``."""
    if not trace.steps:
        return f"state {number}"
    if not number:
        return "initial state"
    return f"step {number} ({trace.steps[number - 1].get('action')})"
