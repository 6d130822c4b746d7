"""Pairs of documents that differ in one field, found by varying results.

``python -m tests.documents`` searches them. Each field of a schema has a line: how the two results differ, and the
fields that differ with it, which are computed from the same value.
"""

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path as File
from time import process_time
from typing import Any

from rebalance_proofs.report.schemas import published
from tests.documents.keys import Chain, Keys
from tests.documents.varied import Path, at, changed, computed, others, overridden, places

TABLE = File(__file__).with_name("pairs.json")
"""Document -> field -> its line."""
LONGEST = 240.0
"""CPU seconds of a search."""
COMPUTED = 2.5
"""Number of further fields that are better than a changed property."""
WAYS = re.compile(r"(?P<base>[^:]*): (?P<path>\S*)(?P<property> as property)? (?P<word>[^;=]+)")


Result = tuple[Any, ...]
"""The arguments of a function that makes a document; the last one has the named arguments."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A kind of document, with results of which it is made."""

    schema: str
    """Name of the document's schema."""
    made: Callable[..., Any]
    """Return the document of a result."""
    asked: Mapping[str, Any]
    """Name of a result -> what ``found`` needs for it, such as a command."""
    found: Callable[[Any], Result]
    """Return a result."""
    alike: int = 3
    """Number of records at alike places of a result that are varied."""

    @cached_property
    def keys(self) -> Keys:
        """The fields of the schema."""
        return Keys(published(self.schema))

    def result(self, name: str) -> Result:
        """Return a result, which is computed once."""
        return _kept(self, name)[0]

    def of(self, name: str) -> Any:
        """Return the document of a result, which is made once."""
        return _kept(self, name)[1]

    def document(self, result: Result) -> Any:
        """Return a document as a reader of the JSON gets it."""
        *arguments, options = result
        return json.loads(json.dumps(self.made(*arguments, **options)))


@cache
def _kept(subject: Subject, name: str) -> tuple[Result, Any]:
    result = subject.found(subject.asked[name])
    return result, subject.document(result)


@dataclass(frozen=True)
class Pair:
    """Two documents."""

    way: str
    """How the two results differ."""
    one: Any
    other: Any


def _written(path: Path) -> str:
    return "/".join(map(str, path)) or "."


def _read(text: str) -> Path:
    return tuple(int(part) if part.isdigit() else part for part in text.split("/")) if text != "." else ()


def _alternatives(subject: Subject, base: str, path: Path, value: Any) -> Iterator[tuple[str, Any]]:
    for name in subject.asked:
        if name != base and path:
            try:
                found = at(subject.result(name), path)
                if found != value and (type(found) is type(value) or None in (found, value)):
                    yield f"as in {name}", found
            except LookupError:
                continue
    if sibling := _next(path):
        with contextlib.suppress(LookupError):
            found = at(subject.result(base), sibling)
            if found != value and type(found) is type(value):
                yield "as in the next one", found
    yield from others(value)


def _next(path: Path) -> Path:
    """Return the same place in the next record of the innermost sequence; empty if the path has no sequence."""
    for place in range(len(path) - 2, 0, -1):
        index = path[place]
        if isinstance(index, int):
            return (*path[:place], index + 1, *path[place + 1 :])
    return ()


def table() -> Mapping[str, Mapping[str, str]]:
    """Return the lines of all documents."""
    found: Mapping[str, Mapping[str, str]] = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
    return found


def way_of(said: str) -> str:
    """Return the part of a line that says how the results differ."""
    return said.partition("; also ")[0]


def pair(subject: Subject, way: str) -> Pair:
    """Return the pair that a line names. Raises ``LookupError`` if the results have no such place."""
    first, _, second = way.partition(" against ")
    if second:
        return Pair(way, subject.of(first), subject.of(second))
    match = WAYS.fullmatch(way)
    assert match, way
    base, path, word = match["base"], _read(match["path"]), match["word"]
    result = subject.result(base)
    if match["property"]:
        *where, name = path
        new = dict(others(getattr(at(result, tuple(where)), str(name))))[word]
        varied = overridden(result, tuple(where), str(name), new)
    else:
        new = dict(_alternatives(subject, base, path, at(result, path)))[word]
        varied = changed(result, path, new)
    return Pair(way, subject.of(base), subject.document(varied))


def ways(subject: Subject) -> Iterator[str]:
    """Yield all ways to get a pair: two results, or one result with a stored value changed."""
    names = tuple(subject.asked)
    yield from (f"{one} against {other}" for one in names for other in names if one != other)
    for base in names:
        for path, value in _few(subject.result(base), subject.alike):
            yield from (f"{base}: {_written(path)} {word}" for word, _ in _alternatives(subject, base, path, value))


def computed_ways(subject: Subject) -> Iterator[str]:
    """Yield the ways in which one property of a record computes something else."""
    for base in subject.asked:
        for path, record in _few(subject.result(base), subject.alike):
            for name, value in computed(record):
                said = f"{base}: {_written((*path, name))} as property"
                yield from (f"{said} {word}" for word, _ in others(value))


def _few(result: Result, most: int) -> Iterator[tuple[Path, Any]]:
    """Yield the values of a result, at most ``most`` of those whose paths differ only in indexes of one argument."""
    times: Counter[Path] = Counter()
    for path, value in places(result):
        alike = (*path[:1], *("#" if isinstance(name, int) else name for name in path[1:]))
        times[alike] += 1
        if times[alike] <= most:
            yield path, value


def line(subject: Subject, way: str, field: str) -> str | None:
    """Return the line of a field for one pair; None if the pair does not differ in it."""
    found = pair(subject, way)
    chains = subject.keys.differing(found.one, found.other)
    return _line(way, field, chains)


def _line(way: str, field: str, chains: set[Chain]) -> str | None:
    if not any(field in chain for chain in chains):
        return None
    beside = sorted({chain[-1] if chain else "(whole)" for chain in chains if field not in chain})
    return f"{way}{'; also ' + ', '.join(beside) if beside else ''}"


def searched(subject: Subject, known: Collection[str] = ()) -> Mapping[str, str]:
    """Return a line for each field: the one with the fewest other fields, of stored values if that is possible.

    ``known``: lines that were found before.
    """
    best: dict[str, tuple[float, str]] = {}
    begun = process_time()

    def before(_: Subject) -> Iterator[str]:
        yield from dict.fromkeys(map(way_of, known))

    for kind, least in ((before, 0), (ways, 0), (computed_ways, COMPUTED)):
        open_ = {field for field in subject.keys.every if best.get(field, (least + 1,))[0] > least}
        for way in kind(subject) if open_ else ():
            if process_time() - begun > LONGEST:
                break
            try:
                found = pair(subject, way)
            except Exception:
                continue
            chains = subject.keys.differing(found.one, found.other)
            if () in chains:
                continue
            cost = COMPUTED if " as property " in way else 0
            for field in dict.fromkeys(name for chain in chains for name in chain):
                size = cost + len({chain[-1] for chain in chains if field not in chain})
                if field not in best or size < best[field][0]:
                    best[field] = (size, str(_line(way, field, chains)))
    return {field: best[field][1] for field in subject.keys.every if field in best}
