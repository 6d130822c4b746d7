"""Child process that runs user-defined code symbolically, and writes the proof obligations.

The results are texts and numbers. They contain no terms, and nothing executable.
"""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, product
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from rebalance_proofs.model.own.load import load
from rebalance_proofs.model.own.named import Named, StrategyError
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs import texts
from rebalance_proofs.proofs.code.explore import Inputs, explore
from rebalance_proofs.proofs.code.run import Unsupported
from rebalance_proofs.proofs.code.statements import Taken
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.own.code import own_code
from rebalance_proofs.proofs.own.steps import Owner, Steps, known, written
from rebalance_proofs.proofs.own.teeth import Teeth, mistaken_owners, mistaken_steps, teeth

GUARANTEES = ("returns", "inside", "disjoint", "balanced", "covers")
LARGEST = (7, 5)
"""The largest (queues, consumers) at which the code's terms are compared with its results."""

SIMPLE = {"returns": Steps.returns, "inside": Steps.inside, "disjoint": Steps.disjoint, "balanced": Steps.balanced}
"""The guarantees that need no formula for the owner, with their obligations."""

Results = tuple[tuple[int, ...], ...]
"""For each consumer, the positions of the queues that it gets."""


class Text(NamedTuple):
    """The SMT-LIB text of one obligation, with its mutation tests."""

    name: str
    sentence: str
    text: str
    teeth: Teeth = Teeth()


@dataclass(frozen=True)
class Prepared:
    """All SMT-LIB texts of the proof, and further facts about the code."""

    texts: Mapping[str, tuple[Text, ...]] = field(default_factory=dict)
    """Guarantee -> the SMT-LIB texts of its obligations."""
    untold: Mapping[str, str] = field(default_factory=dict)
    """Guarantee -> the reason why it cannot be decided."""
    owner: str = ""
    """The formula for the owner of a position, as text."""
    results: Mapping[tuple[int, int], Results] = field(default_factory=dict)
    """(queues, consumers) -> for each consumer, the positions that the terms give it."""
    code: str = ""
    """Name of the function, its file, and the hash of the file."""
    constants: Mapping[str, str] = field(default_factory=dict)
    """Constants of the function's module that the code reads, with their values.

    The values are those at loading time.
    """


def prepared(named: Named, owner: str) -> Prepared:
    """Prepare the proof about the named function. Never raises an exception because of its code.

    ``owner`` is a formula that the user wrote; empty for none.
    """
    with open(os.devnull, "w", encoding="utf-8") as quiet:
        for stream in (1, 2):
            os.dup2(quiet.fileno(), stream)
    try:
        function, arguments = load(named)
        code = own_code(function, arguments)
        steps = Steps(explore(code, Inputs()))
        results = {(q, c): _results(steps, q, c) for q, c in product(*(range(1, most + 1) for most in LARGEST))}
    except (Unsupported, StrategyError, RecursionError) as error:
        return Prepared(untold=dict.fromkeys(GUARANTEES, f"the code cannot be run symbolically: {_said(error)}"))
    found: dict[str, tuple[Text, ...]] = {}
    untold: dict[str, str] = {}
    mistaken = tuple(mistaken_steps(steps))
    for name, make in SIMPLE.items():
        _add(name, make(steps), (make(one) for one in mistaken), found, untold, named)
    how, owns = ("as given", written(owner)) if owner else _found(results)
    if owns is None:
        untold["covers"] = (
            "no known formula gives the owner of a position; write one with --owner, as a term of q, c and p"
        )
    else:
        wrong = [*(one.covers(owns) for one in mistaken), *(steps.covers(one) for one in mistaken_owners(owns))]
        _add("covers", steps.covers(owns), wrong, found, untold, named)
    return Prepared(found, untold, how, results, _code(function), code.constants)


def _code(function: Callable[..., object]) -> str:
    plain = getattr(function, "__func__", function)
    file = Path(inspect.getsourcefile(plain) or "")
    return f"{plain.__qualname__} in {file.name} (sha256 {sha256(file.read_bytes()).hexdigest()})"


def _add(
    name: str,
    steps: Iterable[Obligation],
    mistaken: Iterable[Iterable[Obligation]],
    found: dict[str, tuple[Text, ...]],
    untold: dict[str, str],
    named: Named,
) -> None:
    try:
        wrong = list(chain.from_iterable(mistaken))
        found[name] = tuple(
            Text(one.name, one.sentence, texts.proof(named.text, one, None), teeth(named.text, one, wrong))
            for one in steps
        )
    except Unsupported as error:
        untold[name] = _said(error)


def _said(error: Exception) -> str:
    """Return the error's message without line numbers and node types.

    These refer to the simplified code, which the user does not see.
    """
    return re.sub(r" \(\w+, line \d+\)|, line \d+", "", str(error))


def _results(steps: Steps, q: int, c: int) -> Results:
    """Return the positions that the code's terms give each consumer at one size.

    With numerals for the size, the terms are numbers.
    """
    return tuple(_result(steps, q, c, i) for i in range(c))


def _result(steps: Steps, q: int, c: int, i: int) -> tuple[int, ...]:
    numbers = SimpleNamespace(q=smt.IntVal(q), c=smt.IntVal(c), i=smt.IntVal(i))
    for _, path in steps.ways:
        taken = Taken(path, numbers)
        if smt.is_true(simplify(taken.condition)):
            if steps.filtered(path):
                return tuple(p for p in range(q) if smt.is_true(simplify(taken.keeps(smt.IntVal(p)))))
            return tuple(_element(taken, k) for k in range(_number(taken.length)))
    return (-1,)  # no list: the code raises


def _element(taken: Taken, k: int) -> int:
    place = smt.IntVal(k)
    return next(_number(x.place) for there, x in taken.at(place) if smt.is_true(simplify(there)))


def _number(value: smt.IntTerm) -> int:
    found = simplify(value)
    if not smt.is_int_value(found):
        raise Unsupported("a number that is undefined for given lengths: a divisor can be 0")
    return found.number


def _found(results: Mapping[tuple[int, int], Results]) -> tuple[str, Owner | None]:
    """Return text and function of the first known owner formula that agrees with all results.

    Empty and None if none does.
    """
    for name, owner in known():
        if all(_fits(owner, q, c, taken) for (q, c), taken in results.items()):
            return name, owner
    return "", None


def _fits(owner: Owner, q: int, c: int, taken: Results) -> bool:
    for p in range(q):
        index = _number(owner(smt.IntVal(q), smt.IntVal(c), smt.IntVal(p)))
        if not 0 <= index < c or p not in taken[index]:
            return False
    return True
