"""Symbolic replacements for Python's builtins while a client's code runs on symbolic values."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.lists import Built, Given, Ids, length
from rebalance_proofs.proofs.code.run import ONE, Counting, Run, Unsupported
from rebalance_proofs.proofs.code.terms import Number, term

NAMES = ("len", "range", "min", "max", "enumerate", "list")
"""All builtins that are replaced; ``list()`` also replaces the literal ``[]``."""


def builtins(run: Run, kept: str) -> Mapping[str, Callable[..., Any]]:
    """Return the symbolic replacements, by the builtin's name.

    ``kept`` names the unknown length of a list of selected queues of mqAll.
    """
    return dict(
        zip(
            NAMES,
            (
                length,
                partial(_range, run),
                partial(_least, run),
                partial(_greatest, run),
                partial(_enumerate, run),
                partial(_list, run, kept),
            ),
            strict=True,
        )
    )


def _list(run: Run, kept: str, *copied: object) -> Built | Given | Ids:
    """Return a new list for ``list()``, or the argument itself for mqAll and cidAll.

    The argument need not be copied, because no client code changes either list.
    """
    match copied:
        case ():
            return Built(run, kept)
        case (Given() | Ids() as listed,):
            return listed
    raise Unsupported("list() of anything other than mqAll and cidAll")


def _range(run: Run, *bounds: object) -> Iterator[Any]:
    low, high, step = map(term, {1: (0, *bounds, 1), 2: (*bounds, 1)}.get(len(bounds), bounds))
    run.guard(step > 0)
    counting = Counting(low, high, step)
    return run.turns(run.enter(counting), Number(run, counting.value))


def _enumerate(run: Run, listed: object) -> Iterator[Any]:
    if not isinstance(listed, Given):
        raise Unsupported("enumerate of anything other than mqAll")
    counting = Counting(smt.IntVal(0), listed.length, ONE)
    value = Number(run, counting.value)
    return run.turns(run.enter(counting), (value, listed[value]))


def _least(run: Run, one: object, other: object) -> Number:
    first, second = term(one), term(other)
    return Number(run, smt.If(second < first, second, first))


def _greatest(run: Run, one: object, other: object) -> Number:
    first, second = term(one), term(other)
    return Number(run, smt.If(second > first, second, first))
