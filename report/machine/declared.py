"""Tables, stories and traces made from the page of a machine (``model.machine.page``)."""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, Generic

from rebalance_proofs.model.machine.page import Answer
from rebalance_proofs.model.machine.record import C, L, S, V
from rebalance_proofs.model.machine.run import Run, Seen
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import ROOMS
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.declared import configured, of_client, page
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import Places, circumstances
from rebalance_proofs.report.claims.steps import PLAIN, TraceVariable, yes
from rebalance_proofs.report.drawing import Row, sequence
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.shown import Shown
from rebalance_proofs.report.text.grouped import clock

# Runs with an answer of the client's code after each action, as text, trace, JSON and sequence diagram.

CLOCK = 84
"""Width of the column of times, in pixels."""


@dataclass(frozen=True)
class Answered(Generic[S]):
    """One action, with the answer after it."""

    seen: Seen[S]
    words: str
    """The action in words, and the answer if it has changed."""
    answer: tuple[str, ...]
    idle: bool
    """Whether texts only count the action, because it does not change the answer."""


@dataclass(frozen=True, eq=False)
class AnswersTelling(Telling[S, C, L, V]):
    """Texts about a run in which some actions without effect are counted instead of listed."""

    answer: Answer[S, L]

    @property
    def _variable(self) -> TraceVariable:
        return TraceVariable("answer", "answer", self.words.parties[-1], owner=yes(PLAIN), meaning=self.answer.meaning)

    @property
    def types(self) -> dict[str, str]:
        return super().types | {self._variable.variable: "Str"}

    def trace_variables(self, example: Counterexample) -> Iterator[TraceVariable]:
        yield from super().trace_variables(example)
        yield self._variable

    def answered(self, run: Run[S, L]) -> Iterator[Answered[S]]:
        """Yield each action of a run, with the answer after it."""
        before, last = run.first, tuple[str, ...]()
        for seen, answer in zip(run.seen, self.answer.of(run), strict=True):
            words, changed = self._deed(self.configuration, run, seen, (before,)), answer != last
            words += f": it now {self.answer.words(answer)}" if changed else ""
            yield Answered(seen, words, answer, seen.happens.action == self.answer.counts and not changed)
            before, last = seen.state, answer

    def story(self, run: Run[S, L], of: Configuration[S, C, L, V]) -> tuple[str, ...]:
        return tuple(self._lines(run))

    def _lines(self, run: Run[S, L]) -> Iterator[str]:
        many = 0
        for one in self.answered(run):
            if one.idle:
                many += 1
                continue
            if many:
                yield f"Until then: {self.answer.counted(many)}."
                many = 0
            yield f"{clock(one.seen.at)}: {one.words}."

    def document(self, claim: Claim, example: Counterexample) -> dict[str, Any]:
        found = super().document(claim, example)
        told = zip(found["actions"], self.answer.of(example.group), strict=True)
        return found | {"actions": [action | {"answer": list(answer)} for action, answer in told]}

    def states(self, claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        answers: Sequence[tuple[str, ...]] = ((), *self.answer.of(example.group))
        told = zip(super().states(claim, example), answers, strict=True)
        return [state | {"answer": " ".join(answer)} for state, answer in told]

    def drawn(self, claim: Claim, example: Counterexample) -> str:
        """Return the diagram of a claim's counterexample as SVG."""
        rows = [self._row(one) for one in self.answered(example.group) if not one.idle]
        title, lanes = self.answer.title, (self.words.parties[0], self.words.parties[-1])
        return sequence(claim.id, title, example.sentence, "its answer", CLOCK, rows, lanes)

    def _row(self, one: Answered[S]) -> Row:
        state = one.seen.state
        return Row(
            mark=clock(one.seen.at),
            words=one.words,
            runs=(truth(self.answer.runs(state)), False),
            present=(truth(self.answer.present(state)), True),
            broker=", ".join(one.answer) if one.answer else "nobody",
            free=not one.answer,
            spoke=0 if one.seen.happens.action in self.answer.spoke else None,
        )


def kind(name: str, **more: Any) -> Shown:
    """Return how reports show the claims of a page; ``more``: see ``report.shown.Shown``."""
    of = page(name)
    words, found = of.words, [one for known in of.properties.values() for one in known.values()]
    worlds = [asked.world for one in found for asked in one.claims if not asked.world.dropped]
    if of.mixed:
        worlds.append(of.mixed.world(of.clients[0]))
    rows = {world.name: world.row for world in worlds}
    table, told = words.table or BY_CLIENT, telling(name)
    family = Family(name, words.title, words.sentence, ("Claim", "When"), spelled_out=True, table=table)
    return machine_shown(
        told,
        Places(family, circumstances(rows)),
        lambda claim: words.about(claim.subjects[0]),
        none=words.none or f"{words.reaches_not} this in {of.searching(worlds[0]).length}",
        around=words.around,
        actions=Actions(of.comparing(of.clients[0]).kind, words.called, words.counted, words.state, words.code),
        **({"figure": told.drawn} if isinstance(told, AnswersTelling) else {}),
        **more,
    )


@cache
def telling(name: str) -> Telling[Any, Any, Any, Any]:
    """Return how reports show runs of a page's machine."""
    of, by_claim = page(name), partial(configured, name)
    settings, words = of_client(name, of.clients[0]), of.words
    if words.answer:
        return AnswersTelling(settings, words, by_claim, words.answer)
    return Telling(settings, words, by_claim)


# Write the page of a new machine from a template, and register it in the three tables of kinds.


TEMPLATE = "new_kind.txt"
EXAMPLE = "workers.nothing-lost.without-lock"
"""Rest of the id of the example's refuted claim."""
TABLES = ("proofs", "spark_enum", "report")
"""Folders whose ``kinds.py`` has a table of kinds."""
BEGIN, END = "] = Table(\n    {\n", "    }\n)\n"
"""Text around the rows of a table."""
NAME = re.compile(r"[a-z][a-z0-9_]*")


def write(root: Path, name: str) -> list[Path]:
    """Write the page and its rows, and return the changed files, the page first; paths begin at ``root``.

    Raises ``UsageError`` before it writes anything: if ``root`` is no checkout, the name is not possible or not new, or
    a table is not as expected.
    """
    if not (root / "model" / "machines").is_dir():
        raise UsageError(f"{root} is not a checkout of this project: clone it, and call `rebalance` of the clone")
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is not possible as a name; use lowercase letters, digits and _, such as 'counting'")
    page = Path("model", "machines", f"{name}.py")
    if name in ROOMS or (root / page).exists():
        raise UsageError(f"there is already a kind of claims {name!r}; choose another name")
    changed = {page: _page(name)}
    for folder in TABLES:
        table = Path(folder, "kinds.py")
        changed[table] = _with_row((root / table).read_text(encoding="utf-8"), table, folder, name)
    for path, text in changed.items():
        (root / path).write_text(text, encoding="utf-8")
    return [*changed]


def _page(name: str) -> str:
    text = files("rebalance_proofs.report").joinpath("templates", TEMPLATE).read_text(encoding="utf-8")
    return Template(text).substitute(name=name, title=name.replace("_", " ").capitalize())


def _with_row(source: str, table: Path, folder: str, name: str) -> str:
    head, begin, rest = source.partition(BEGIN)
    rows, end, tail = rest.partition(END)
    if not end:
        raise UsageError(f"cannot find the table of kinds in {table}; restore the file, and try again")
    row = f'        "{name}": "rebalance_proofs.{folder}.machine.declared.kind:{name}",\n'
    return f"{head}{begin}{rows}{row}{end}{tail}"
