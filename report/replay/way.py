"""Read, replay and compare a trace of a whole group, as ``rebalance explore --itf`` writes it.

The replay computes each state from the model (``Plain``), not from the explorer's tables. It also runs the modelled
client code, and compares both.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.claims.steps import PLAIN, Party, Played, Step, TraceVariable, Value
from rebalance_proofs.report.explorer.document import EXPLORED, VARIABLES, state_of
from rebalance_proofs.report.explorer.told import holders, of_group, real, said
from rebalance_proofs.report.replay.file import NotATrace, States, bare, different, does, recipe, states
from rebalance_proofs.report.text.english import count, listing
from rebalance_proofs.spark_enum.explorer.concrete.groups import Compared, code_of
from rebalance_proofs.spark_enum.explorer.model import Model, Move, Plain, State, Watch
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject

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


# Steps of a trace of a whole group: members, each consumer's list of members, and queue owners.


def group_heading(found: Way, been: Gone) -> Iterator[str]:
    """Yield the model and group of the trace, and how many of its states agree with the replay."""
    yield f"{found.subject.name}: {found.watch.name}"
    yield from (f"  {line}" for line in of_group(found.subject, found.settings, found.model))
    many = len(been.states)
    by = "the explored model and the modelled client code" if been.code else "the explored model"
    yield f"  {count(len(found.moves), 'step')}, replayed on {by}; {count(many, 'state')} of the trace agreed."
    yield f"  Real clients: {real(found.subject)}"


def group_steps(found: Way, been: Gone) -> Played:
    """Return the replayed steps.

    The last line names the queues in the bad state, such as two owners.
    """
    values = [dict(_values(found, state)) for state in been.states]
    first, *others = (
        Step(said, None, tuple(Value(now[name], PLAIN, now[name] != before[name]) for name in now))
        for said, (before, now) in zip(_said(found), pairwise(chain(values[:1], values)), strict=True)
    )
    variables = {
        party: tuple(TraceVariable(name, name) for one, name in values[0] if one == party) for party, _ in values[0]
    }
    parties = tuple(Party(party, own) for party, own in variables.items())
    queues = listing(f"queue {queue}" for queue in been.queues)
    where = f"Bad state of {queues}" if queues else "Bad state"
    return Played(parties, first, tuple(others), f"{where}: {found.watch.sentence}")


def _said(found: Way) -> Iterator[str]:
    yield "Initial state."
    yield from said(found.model, found.moves)


def _values(found: Way, state: State) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield ((owner, name), value in words) of every value in a state."""
    model, plain = found.model, Plain(found.model)
    yield ("group", "members"), _consumers(model.ids(state.members))
    for who, view in enumerate(model.views(state.members)):
        yield (f"c{who}", "sees members"), _consumers(view)
    for queue, row in enumerate(state.queues):
        numbers: Mapping[str, Any] = plain.numbers(row)
        has = holders(model, numbers, found.settings.consumers)
        yield (f"queue {queue}", "owner"), listing(has) if has else "no consumer"
        yield (f"queue {queue}", "broker"), model.noted(numbers)


def _consumers(ids: frozenset[int]) -> str:
    return listing(f"c{who}" for who in sorted(ids)) if ids else "none"
