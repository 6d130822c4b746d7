"""States that decide the formulas of pages, computed and pinned.

Each formula is true in some of the states and false in others, so that none of its variants has the same values in all
of them. A formula that changes has another value in one of them, or another name.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, unsat
from tests.machines.registered import Declared
from tests.pins.pin import FOLDER
from tests.weakened.formulas import BY_NAME, Formula, formulas
from tests.weakened.states import Chosen, Row, columns, evaluating
from tests.weakened.variants import dropped, moved, simple

FILE = FOLDER / "decided.json"
ANYWHERE, FORMED, POSSIBLE = "other parts decide", "in every well-formed state", "wherever the action is possible"
"""Why a variant equals its formula."""
CACHE = Path("runs") / "weakened"
"""Folder with what earlier runs have computed, a line for each formula."""


def written(row: Row) -> str:
    """Return a state as text: its fields that are not 0."""
    some = ((name, value) for name, value in row.items() if value and name != "reached")
    return " ".join(name if value == 1 else f"{name}={value}" for name, value in some)


def read(text: str) -> dict[str, int]:
    """Return the state that ``written`` made a text of."""
    pairs = (one.partition("=") for one in text.split())
    return {name: int(value or 1) for name, _, value in pairs}


def computed(name: str, *, known_only: bool = False) -> Iterator[tuple[Formula, Mapping[str, Any]]]:
    """Yield each formula of a machine, with the states that decide it and numbers of its variants.

    What is pinned of the same formula, or was computed by an earlier run (``CACHE``), is not computed again; with
    ``known_only``, nothing is.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    file, machine = CACHE / f"{name}.jsonl", BY_NAME[name]
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines()) if file.exists() else ()
    known = {(line["formula"], line["of"]): line for line in (*_lines(name), *lines)}
    chosen: Chosen | None = None
    used: dict[str, None] = {}
    for formula in formulas(name):
        key = formula.name, digest(formula)
        if key not in known and known_only:
            continue
        if key not in known:
            chosen = chosen or Chosen(machine)
            chosen.rows[:] = map(read, used)
            known[key] = {"formula": key[0], "of": key[1], **chosen.tell(formula).counted(chosen.rows, written)}
            with file.open("a", encoding="utf-8") as to:
                print(json.dumps(known[key]), file=to)
        used |= dict.fromkeys(known[key]["states"])
        yield formula, known[key]


def digest(formula: Formula) -> str:
    """Return a digest of a formula and of the states in which it counts."""
    return sha256(f"{formula.term.fingerprint} {formula.known.fingerprint}".encode()).hexdigest()[:16]


def _lines(name: str) -> Iterator[Mapping[str, Any]]:
    """Yield what is pinned of each formula, as a run computes it."""
    of = pin().get(name, {"states": [], "formulas": {}})
    for formula, told in of["formulas"].items():
        places = sorted(place for some in told["at"].values() for place in some)
        states = [of["states"][place] for place in places]
        yield {**told, "formula": formula, "states": states, "same": list(told["same"]), "open": []}


def written_pin(unfinished: Collection[str] = ()) -> bytes:
    """Return the content that the pinned file should have: a line for each state and each formula.

    ``unfinished``: machines of which only formulas are pinned that were computed before.
    """
    parts = []
    for name in BY_NAME:
        found = _pinned(name, known_only=name in unfinished)
        states = ",\n".join(f"   {json.dumps(one)}" for one in found["states"])
        values = ",\n".join(f"   {json.dumps(one)}: {json.dumps(of)}" for one, of in found["formulas"].items())
        lines = [f'  "left": {json.dumps(found["left"])}', f'  "states": [\n{states}\n  ]']
        lines.append(f'  "formulas": {{\n{values}\n  }}')
        joined = ",\n".join(lines)
        parts.append(f" {json.dumps(name)}: {{\n{joined}\n }}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _pinned(name: str, *, known_only: bool) -> Mapping[str, Any]:
    found = list(computed(name, known_only=known_only))
    if left := [(formula.name, *line["open"]) for formula, line in found if line["open"]]:
        raise ValueError(f"{name}: the solver does not decide {left}")
    places: dict[str, int] = {}
    for _, line in found:
        for state in line["states"]:
            places.setdefault(state, len(places))
    every = told(BY_NAME[name], [formula for formula, _ in found], list(places))
    of = {}
    for formula, line in found:
        where = _at(every[formula.name], sorted({places[one] for one in line["states"]}))
        counts = counted(formula, line)
        of[formula.name] = {"at": where, **counts, "of": digest(formula)}
    left = [one.name for one in formulas(name) if one.name not in of]
    return {"left": left, "states": list(places), "formulas": of}


def counted(formula: Formula, line: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many variants a formula has, and which equal it: those that drop or move a part, and all others.

    A composed formula has none: its parts are those of another formula.
    """
    own = simple(formula.term)
    if formula.composed:
        return {"dropped": 0, "same": {}, "added": 0, "same added": 0}
    names = {one.name for one in (*dropped(own), *moved(own))}
    same = [one for one in line["same"] if one in names]
    return {
        "dropped": len(names),
        "same": reasons(formula, same),
        "added": line["added"] + line["dropped"] - len(names),
        "same added": line["same added"] + len(line["same"]) - len(same),
    }


def reasons(formula: Formula, same: Sequence[str]) -> dict[str, str]:
    """Return why each of these variants equals the formula."""
    own = simple(formula.term)
    every = {one.name: one.term for one in (*dropped(own), *moved(own))}
    found = {}
    for name in same:
        solver = Solver()
        solver.add(every[name] != own)
        formed = solver.check(formula.formed) == unsat
        found[name] = ANYWHERE if solver.check() == unsat else FORMED if formed else POSSIBLE
    return found


def _at(values: Sequence[int], places: Sequence[int]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place in places:
        found.setdefault(str(values[place]), []).append(place)
    return dict(sorted(found.items()))


def told(machine: Declared, some: Sequence[Formula], states: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return the values of formulas in all these states, as numbers."""
    of = columns(machine, [read(state) for state in states])
    found: np.ndarray = evaluating([formula.term for formula in some])(of)
    return {formula.name: line.astype(int).tolist() for formula, line in zip(some, found, strict=True)}


def differing(machine: Declared, some: Sequence[Formula], of: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each formula that has another value than the pinned one, with the first such state."""
    every = told(machine, some, of["states"])
    for formula in some:
        if formula.name in of["left"]:
            continue
        if formula.name not in of["formulas"]:
            yield f"{formula.name}: not pinned"
            continue
        wrong = [
            (place, int(value))
            for value, places in of["formulas"][formula.name]["at"].items()
            for place in places
            if every[formula.name][place] != int(value)
        ]
        if wrong:
            place, value = wrong[0]
            boolean = smt.is_bool(formula.term)
            now, then = (bool(one) if boolean else one for one in (every[formula.name][place], value))
            yield f"{formula.name}: {now}, not {then}, in the state {of['states'][place] or 'without any flag'!r}"
    yield from (f"{name}: pinned, but no formula" for name in of["formulas"].keys() - {one.name for one in some})


@cache
def pin() -> Mapping[str, Mapping[str, Any]]:
    """Return the content of the pinned file."""
    found: Mapping[str, Mapping[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found
