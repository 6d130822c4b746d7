"""Read, replay and compare a trace of a whole group, as ``rebalance explore --itf`` writes it.

The replay computes each state from the model (``Plain``), not from the explorer's tables. It also runs the modelled
client code, and compares both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.explorer.itf import EXPLORED, VARIABLES, state_of
from rebalance_proofs.report.replay.different import different
from rebalance_proofs.report.replay.file import NotATrace, States, bare, does, recipe, states
from rebalance_proofs.spark_enum.explorer.concrete.groups import code_of
from rebalance_proofs.spark_enum.explorer.concrete.walks import Compared
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Watch
from rebalance_proofs.spark_enum.explorer.plain import Plain, State
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject
from rebalance_proofs.spark_enum.explorer.subjects import SUBJECTS

SOURCE = "explore "
"""Beginning of the ``source`` in the metadata of a group's trace."""


@dataclass(frozen=True)
class Way:
    """The trace of a whole group, ready for a replay."""

    subject: Subject
    settings: Settings
    model: Model
    watch: Watch
    """The bad state that the explorer found, such as two owners; the trace must end in it."""
    moves: tuple[Move, ...]
    states: States
    """The states without their ``#meta``."""


@dataclass(frozen=True)
class Gone:
    """Result of replaying a group's trace on the model and on the modelled client code."""

    states: tuple[State, ...]
    """The replayed states that agree with the trace: the initial state, and one state for each move."""
    queues: tuple[int, ...] = ()
    """Queues that are in the bad state at the end.

    Empty if the bad state is one of the whole group.
    """
    wrong: str = ""
    """The first difference in a sentence; empty if there is none."""
    code: bool = False
    """Whether the modelled client code took the same steps."""


def way(document: Any) -> Way | None:
    """Return the group's trace in a parsed file; None if the trace is of another type.

    Raises ``NotATrace``.
    """
    meta = document.get("#meta") if isinstance(document, dict) else None
    if not isinstance(meta, dict) or meta.get("format") != "ITF" or not _explored(meta):
        return None
    name = str(meta["source"]).removeprefix(SOURCE).partition(":")[0]
    replay = recipe(meta, f"rebalance explore {name if name in SUBJECTS else 'MODEL'} --itf DIR")
    told = replay.get(EXPLORED)
    if not isinstance(told, dict):
        raise NotATrace("the trace does not contain the explored model")
    if not isinstance(told.get("model"), str) or told["model"] not in SUBJECTS:
        raise NotATrace(f"unknown model {told.get('model')!r}; the models are {', '.join(SUBJECTS)}")
    subject = SUBJECTS[told["model"]]
    try:
        settings = subject.read(told.get("settings"))
        model = subject.build(settings)
    except UsageError as error:
        raise NotATrace(f"its settings are not valid: {error}") from None
    watch = next((watch for watch in model.watches if watch.name == told.get("watch")), None)
    if watch is None:
        watched = ", ".join(watch.name for watch in model.watches) or "none"
        raise NotATrace(
            f"unknown bad state {told.get('watch')!r}; the bad states of the model {subject.name} are {watched}"
        )
    every = states(document, VARIABLES, f"the model {subject.name}")
    moves = tuple(_move(model, number, step) for number, step in enumerate(does(every), start=1))
    if len(moves) != len(every) - 1:
        raise NotATrace("its states do not contain their actions")
    return Way(subject, settings, model, watch, moves, bare(every))


def _explored(meta: Mapping[str, Any]) -> bool:
    replay = meta.get("replay")
    of_a_model = isinstance(replay, dict) and EXPLORED in replay
    return isinstance(meta.get("source"), str) and (of_a_model or meta["source"].startswith(SOURCE))


def _move(model: Model, number: int, step: Mapping[str, Any]) -> Move:
    told = [step.get(name) for name in ("action", "who", "queue")]
    for move in model.moves:
        said = [move.name, move.who, move.queue]
        if told == said and list(map(type, told)) == list(map(type, said)):
            return move
    named = " ".join(f"{name} {value!r}" for name, value in zip(("action", "who", "queue"), told, strict=True))
    raise NotATrace(f"the action of state {number} does not exist in this group: {named}")


def gone(found: Way) -> Gone:
    """Replay every move of a group's trace, and compare every state."""
    plain = Plain(found.model)
    code = _Code(plain, found)
    moves: Sequence[Move | None] = (None, *found.moves)
    been: list[State] = []
    for number, (move, told) in enumerate(zip(moves, found.states, strict=True)):
        state = plain.after(been[-1], move) if move else plain.start
        if state is None:
            return Gone(tuple(been), wrong=f"step {number} ({move}): the model does not allow this step here.")
        numbers = [plain.numbers(row) for row in state.queues]
        here = state_of(found.model, move, state.members, numbers)
        differs = next(different(_read(told), _read(here), by="in the model"), "")
        if differs:
            where = f"step {number} ({move})" if move else "initial state"
            return Gone(tuple(been), wrong=f"{where}: {differs}.")
        refused = code.does(move, state)
        if refused:
            return Gone(tuple(been), wrong=f"step {number} ({move}): {refused}.")
        been.append(state)
    queues = tuple(_so(found, been[-1]))
    so = queues if found.watch.wrong else not any(plain.following(been[-1]))
    wrong = "" if so else f"all steps agree with the model, but the last state is not bad: {_quoted(found)}"
    return Gone(tuple(been), queues, wrong, code.walks)


class _Code:
    """The modelled client code of a group, which makes the same moves (actions) as the trace."""

    def __init__(self, plain: Plain, found: Way) -> None:
        make = code_of(found.subject, found.settings)
        self._compared = Compared(plain, make) if make else None
        self._group = make() if make else None

    @property
    def walks(self) -> bool:
        """Whether the group's model has client code; without, there is nothing to run."""
        return self._group is not None

    def does(self, move: Move | None, state: State) -> str:
        """Make the move, and return how the code differs from the model's state; empty if it agrees."""
        if self._group is None or self._compared is None:
            return ""
        try:
            if move:
                self._group.does(move)
        except Impossible:
            return "the client's code does not do this at that time"
        return self._compared.differs(state, self._group)


def _quoted(found: Way) -> str:
    return f"{found.watch.name} ({found.watch.sentence.rstrip('.')})."


def _so(found: Way, state: State) -> Iterator[int]:
    wrong = found.watch.wrong
    if wrong is None:
        return
    for queue, row in enumerate(state.queues):
        flag = wrong(state.members, queue)
        if flag is not None:
            rows = np.frombuffer(row, dtype=np.int8)[np.newaxis]
            if np.broadcast_to(found.model.flags[flag](rows), 1)[0]:
                yield queue


def _read(value: Any) -> Any:
    """Convert ITF sets and maps to sorted lists and dicts, so that messages can name their values."""
    if isinstance(value, list):
        return [_read(one) for one in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"#set"} and isinstance(value["#set"], list) and all(type(one) is int for one in value["#set"]):
        return sorted(value["#set"])
    pairs = value.get("#map")
    if set(value) == {"#map"} and isinstance(pairs, list) and all(map(_is_pair, pairs)):
        return {name: _read(one) for name, one in pairs}
    return {name: _read(one) for name, one in value.items()}


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)
