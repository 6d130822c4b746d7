"""Many small cases in one test: all of them are tried, and those that fail are named."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from traceback import extract_tb
from typing import Any

import pytest

Name = Callable[[Any], Any]
PARAM = type(pytest.param())
TESTS = str(Path(__file__).parent)


def each(
    names: str | Sequence[str], cases: Iterable[Any], ids: Iterable[str] | Name | None = None, within: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like ``pytest.mark.parametrize``, for cases that are shorter than the setup of a test.

    The test runs once, with all fixtures except the arguments named here, and goes through all cases; several ``each``
    above each other go through all combinations. It fails if there is no case or if any case fails, with the id of each
    failing case and the failing line. Cases share fixtures, and cannot have marks of their own.

    ``within``: name of a fixture with the ids of the cases to try, if not all.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names]
    single = isinstance(names, str) and len(arguments) == 1
    listed = list(cases)
    rows = [_values(case, single) for case in listed]
    assert all(len(row) == len(arguments) for row in rows), "as many values as names"
    told = [_id(case, row, place, ids) for place, (case, row) in enumerate(zip(listed, rows, strict=True))]
    if ids is not None and not callable(ids):
        told = list(ids)
    named = list(zip(told, rows, strict=True))

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def through_all(**fixtures: Any) -> None:
            failed = []
            tried = [(name, row) for name, row in named if not within or name in fixtures[within]]
            for name, row in tried:
                try:
                    test(**fixtures, **dict(zip(arguments, row, strict=True)))
                except (Exception, pytest.fail.Exception) as error:
                    failed.append(f"[{name}] {_told(error)}")
            assert tried, "there is no case"
            if failed:
                pytest.fail(f"{len(failed)} of {len(tried)} cases fail:\n" + "\n".join(failed), pytrace=False)

        asked = inspect.signature(test)
        assert {*arguments} <= {*asked.parameters}, f"{test.__name__} has no arguments {arguments}"
        left = [parameter for name, parameter in asked.parameters.items() if name not in arguments]
        through_all.__signature__ = asked.replace(parameters=left)
        return through_all

    return decorate


def _values(case: Any, single: bool) -> tuple[Any, ...]:
    if isinstance(case, PARAM):
        assert not case.marks, "a case with marks is a test of its own"
        return tuple(case.values)
    return (case,) if single else tuple(case)


def _id(case: Any, row: tuple[Any, ...], place: int, ids: Any) -> str:
    if isinstance(case, PARAM) and case.id is not None:
        return str(case.id)
    if callable(ids):
        return "-".join(str(ids(value)) for value in row)
    return "-".join(str(value) if isinstance(value, str | int | bool) else f"{place}" for value in row)


def _told(error: BaseException) -> str:
    """Error and line in the tests; for cases within a case, their own messages."""
    frames = [frame for frame in extract_tb(error.__traceback__) if frame.filename.startswith(TESTS)]
    last = frames[-1]
    if last.filename == __file__ and isinstance(error, pytest.fail.Exception):
        return str(error)
    said = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
    return f"{last.filename}:{last.lineno}: {last.line}\n    {said}".rstrip()
