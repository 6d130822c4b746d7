"""The inventory of log statements: TOML files beside this module, one a client or broker.

A file has the client's ``name``, ``language``, ``files`` (the source files that it covers) and ``releases`` (those
that were read, oldest first). Each table after them is a class, and has its ``statements``. A statement has its
``text``, ``level``, and either the ``line`` of the knowledge that it belongs to, or the reason why it is
``irrelevant``. ``in`` names the releases that write it, such as ``4.9.0..4.9.8, 5.1.0..``; without it, all do.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.knowledge.statements.calls import LANGUAGES, Call, Language, calls

FOLDER = Path(__file__).parent
INVENTORIES = ("java-client", "java-broker", "go", "cpp", "node")
"""Names of the files."""
TO = ".."
"""Between the first and last release of a range; without a last one, the range is open."""


@dataclass(frozen=True)
class Statement:
    """A log statement of one class, in all releases that write it with this text and level."""

    where: str
    """Name of the class, or of the source file without its suffix."""
    text: str
    """Text with ``{}`` for each value. Values after the last word can be missing."""
    level: str
    releases: tuple[str, ...]
    """Releases that write it, among those of the inventory."""
    line: str = ""
    """Name of the known line that it belongs to."""
    irrelevant: str = ""
    """Reason why it says nothing about a symptom, in one word."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Class, level and text, by which statements are compared."""
        return self.where, self.level, self.text


@dataclass(frozen=True)
class Inventory:
    """All log statements of one client or broker about rebalance, pulling, offsets, locks and membership."""

    name: str
    """The client's name, such as ``Java client``."""
    language: Language
    files: tuple[str, ...]
    """Ends of the paths of its source files; a folder ends with a slash, and includes all files in it."""
    releases: tuple[str, ...]
    """Releases whose sources were read, oldest first."""
    statements: tuple[Statement, ...]

    def of(self, release: str) -> tuple[Statement, ...]:
        """Return the statements of a release."""
        return tuple(one for one in self.statements if release in one.releases)

    def covers(self, path: str) -> bool:
        """Return True if the inventory has the log statements of this source file."""
        return path.endswith(self.language.suffixes) and any(_within(f"/{path}", f"/{one}") for one in self.files)

    def calls(self, files: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, Call]]:
        """Yield path, class and log statement of each source file that the inventory covers."""
        for path, source in files:
            if self.covers(path):
                for call in calls(source, self.language):
                    yield path, Path(path).stem, call


def _within(path: str, end: str) -> bool:
    return end in path if end.endswith("/") else path.endswith(end)


@cache
def inventory(name: str) -> Inventory:
    """Return the inventory in the file of this name."""
    return from_toml(tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")))


def inventories() -> Mapping[str, Inventory]:
    """Return all inventories by their file's name."""
    return {name: inventory(name) for name in INVENTORIES}


def reasons() -> Mapping[str, Mapping[str, str]]:
    """Return the subjects of irrelevant statements in each language, by reason."""
    return tomllib.loads((FOLDER / "reasons.toml").read_text(encoding="utf-8"))


def from_toml(told: Mapping[str, Any]) -> Inventory:
    """Return the inventory in a parsed file. Raises ``KeyError`` or ``ValueError`` for a file with errors."""
    releases = tuple(told["releases"])
    statements = tuple(
        Statement(
            where, one["text"], one["level"], _releases(one, releases), one.get("line", ""), one.get("irrelevant", "")
        )
        for where, table in told.items()
        if isinstance(table, dict)
        for one in table["statements"]
    )
    return Inventory(told["name"], LANGUAGES[told["language"]], tuple(told["files"]), releases, statements)


def _releases(one: Mapping[str, Any], every: Sequence[str]) -> tuple[str, ...]:
    """Return the releases of a statement. Raises ``ValueError`` for an unknown one."""
    if "in" not in one:
        return tuple(every)
    found: list[str] = []
    for part in one["in"].split(", "):
        first, range_, last = part.partition(TO)
        end = every.index(last) if last else len(every) - 1 if range_ else every.index(first)
        found += every[every.index(first) : end + 1]
    return tuple(found)


def ranges(releases: Sequence[str], every: Sequence[str]) -> str:
    """Return releases as ranges, such as ``4.9.0..4.9.8, 5.1.0..``; an empty text if they are all."""
    if len(releases) == len(every):
        return ""
    runs: list[list[str]] = []
    for one in every:
        if one in releases:
            if runs and every.index(runs[-1][-1]) == every.index(one) - 1:
                runs[-1].append(one)
            else:
                runs.append([one])
    return ", ".join(_range(run, every[-1]) for run in runs)


def _range(run: Sequence[str], newest: str) -> str:
    if run[-1] == newest and len(run) > 1:
        return f"{run[0]}{TO}"
    return run[0] if len(run) == 1 else f"{run[0]}{TO}{run[-1]}"


# Add the log statements of a release to an inventory, and write its file.


def added(before: Inventory, release: str, files: Iterable[tuple[str, str]]) -> Inventory:
    """Return the inventory with a release whose source files are given, as path and text; it becomes the newest.

    New statements have neither a line nor a reason. A maintainer has to choose one.
    """
    releases = tuple(one for one in before.releases if one != release)
    known = {
        one.key: replace(one, releases=tuple(name for name in one.releases if name != release))
        for one in before.statements
    }
    for _, where, call in before.calls(files):
        one = Statement(where, call.text, call.level, ())
        one = known.get(one.key, one)
        known[one.key] = replace(one, releases=(*dict.fromkeys((*one.releases, release)),))
    left = tuple(one for one in known.values() if one.releases)
    return replace(before, releases=(*releases, release), statements=left)


def written(name: str, inventory: Inventory) -> str:
    """Return the text of an inventory's file: one line a statement, sorted by class."""
    head = (FOLDER / f"{name}.toml").read_text(encoding="utf-8").partition("\nreleases = ")[0]
    assert tomllib.loads(head)["name"] == inventory.name
    lines = [head, f"releases = {json.dumps(inventory.releases)}"]
    classes = sorted({one.where for one in inventory.statements})
    places = {where: place for place, where in enumerate(classes)}
    ordered = sorted(inventory.statements, key=lambda one: places[one.where])
    for where, many in groupby(ordered, key=lambda one: one.where):
        lines += ["", f"[{where}]", "statements = [", *(_line(one, inventory) for one in many), "]"]
    return "\n".join(lines) + "\n"


def _line(one: Statement, inventory: Inventory) -> str:
    told = {
        "text": one.text,
        "level": one.level,
        "in": ranges(one.releases, inventory.releases),
        "line": one.line,
        "irrelevant": one.irrelevant,
    }
    texts = (f"{name} = {_quoted(value)}" for name, value in told.items() if value or name == "text")
    return f"    {{ {', '.join(texts)} }},"


def _quoted(text: str) -> str:
    plain = "'" not in text and '"' in text and text.isprintable()
    return f"'{text}'" if plain else json.dumps(text, ensure_ascii=False)


# Compile the inventory: the wordings of known lines, and the statements that belong to no line.

READ = ("4.9.8", "5.1.4", "5.3.3")
"""Java releases that a wording names."""
MARKS = {"Go client": " (Go)", "C++ client": " (C++)", "Node client": " (Node)"}
"""Name of an inventory -> what follows the class in a wording of that client."""


def worded(lines: Mapping[str, Mapping[str, Any]], every: Iterable[Inventory]) -> None:
    """Add wordings to the lines that have none: the texts of the statements that name the line.

    ``lines``: file name -> parsed file, as ``sources.read`` returns them.
    """
    found = wordings(every)
    for file in lines.values():
        for line in file["line"]:
            line.setdefault("wording", found.get(line["name"], []))


def wordings(every: Iterable[Inventory]) -> dict[str, list[dict[str, Any]]]:
    """Return the texts of the statements by the line that they name, in the form of the lines' files."""
    found: dict[str, dict[str, list[tuple[Inventory, Statement]]]] = {}
    for inventory in every:
        for one in inventory.statements:
            if one.line:
                found.setdefault(one.line, {}).setdefault(_bare(one.text), []).append((inventory, one))
    return {line: [_wording(text, many) for text, many in texts.items()] for line, texts in found.items()}


def _bare(text: str) -> str:
    """Return the text without values before its first word; they would match everything before the line."""
    while text.startswith("{}"):
        text = text[2:].lstrip()
    return text


def _wording(text: str, many: list[tuple[Inventory, Statement]]) -> dict[str, Any]:
    written = {
        release for inventory, one in many if inventory.language.suffixes == (".java",) for release in one.releases
    }
    releases = [one for one in READ if one in written]
    where = dict.fromkeys(f"{one.where}{MARKS.get(inventory.name, '')}" for inventory, one in many)
    made: dict[str, Any] = {"text": text, "where": ", ".join(where)}
    return made if len(releases) == len(READ) else {**made, "releases": releases}


def others() -> dict[str, Any]:
    """Return the statements that belong to no line: [client, class, text, reason]; and the reasons' texts."""
    return {"reasons": dict(reasons()), "statements": [list(one) for one in dict.fromkeys(_others())]}


def _others() -> Iterator[tuple[str, str, str, str]]:
    for inventory in inventories().values():
        for one in inventory.statements:
            if one.irrelevant and _bare(one.text):
                yield inventory.name, one.where, _bare(one.text), one.irrelevant
