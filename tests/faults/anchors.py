"""Places of faults in the source: a symbol, and a part of its code as ``ast.unparse`` writes it.

So wrapping, comments, quotes and parentheses do not matter, nor in which module the symbol is.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PARTS = ("model", "proofs", "recorded", "spark_enum", "report", "cli", "evidence")
"""Folders of the source."""
DEFINED = re.compile(r"^[ ]*(?:def|class|async def) (\w+)|^[ ]*(\w+)(?:, \w+)*(?:: [^=\n]+)? = ", re.MULTILINE)

WORD = re.compile(r"[^\W\d]\w*")
END = re.compile(r"^[^\s)\]}]", re.MULTILINE)
"""The beginning of the next statement of a module."""


class Missing(AssertionError):
    """The code of a fault is not there, or is in several places."""


@dataclass(frozen=True)
class Place:
    """A symbol that has the code."""

    file: str
    """Path from the root of the tree, as ``proofs/prove.py``."""
    line: int
    """First line of the symbol, from 1 on."""


def symbols(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield functions, classes and assigned names of the module and of its classes, by qualified name."""
    yield from _inside(tree.body, "")


def _inside(body: Sequence[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.stmt]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield f"{prefix}{node.name}", node
            yield from _inside(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            names = [one.id for one in ast.walk(target) if isinstance(one, ast.Name)]
            if names:
                yield f"{prefix}{names[0]}", node


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _words(path: Path) -> frozenset[str]:
    return frozenset(WORD.findall(_text(path)))


@cache
def _symbols(path: Path, name: str) -> tuple[tuple[str, int, ast.stmt], ...]:
    """Return the symbols of a file that begin with the name: qualified name, first line, and definition.

    Only the text around the name is parsed, unless that is no Python: parsing whole files takes seconds.
    """
    text, found = _text(path), []
    for match in re.finditer(rf"^(?:async def |def |class )?{name}\b", text, re.MULTILINE):
        start = text.rfind("\n\n", 0, match.start()) + 2 if "\n\n" in text[: match.start()] else 0
        end = END.search(text, match.end())
        before = text.count("\n", 0, start)
        try:
            tree = ast.parse(text[start : end.start() if end else len(text)])
        except SyntaxError:
            before, tree = 0, ast.parse(text)
        found += [(known, before + node.lineno, node) for known, node in symbols(tree)]
    return tuple({line: (known, line, node) for known, line, node in found if known.split(".")[0] == name}.values())


@cache
def index(tree: Path = ROOT) -> Mapping[str, Sequence[str]]:
    """Return the files in which each name is defined."""
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for part in PARTS:
        for path in sorted((tree / part).rglob("*.py")):
            file = path.relative_to(tree).as_posix()
            for function, variable in DEFINED.findall(path.read_text(encoding="utf-8")):
                found[function or variable][file] = None
    return {name: tuple(files) for name, files in found.items()}


def located(symbol: str, code: str, tree: Path = ROOT) -> Place:
    """Return the only place of the code in a symbol of that name.

    The name can begin with the last parts of the module's name, as ``averagely.allocate``. Raises ``Missing``.
    """
    files = index(tree).get(symbol.rpartition(".")[2], ())
    words = {*WORD.findall(code)}
    found = [
        Place(file, line)
        for file in files
        if words <= _words(tree / file)
        for root in symbol.split(".")
        for name, line, node in _symbols(tree / file, root)
        if _is(symbol, file, name) and ast.unparse(node).count(code) == 1
    ]
    if len(found) != 1:
        where = ", ".join(f"{one.file}:{one.line}" for one in found) or f"none of {len(files)} files with the name"
        raise Missing(f"the code of a fault is not in exactly one symbol {symbol}, but in {where}: {code!r}")
    return found[0]


def _is(symbol: str, file: str, name: str) -> bool:
    if symbol == name:
        return True
    module = symbol.removesuffix(f".{name}")
    return module != symbol and f".{_module(file)}".endswith(f".{module}")


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def replaced(source: str, symbol: str, file: str, old: str, new: str) -> str:
    """Return the module's source with the code replaced. Raises ``Missing``."""
    tree = ast.parse(source)
    places = [node for name, node in symbols(tree) if _is(symbol, file, name) and ast.unparse(node).count(old) == 1]
    if len(places) != 1:
        raise Missing(f"{file} has the code of a fault in {len(places)} symbols {symbol}: {old!r}")
    (place,) = places
    instead = ast.parse(ast.unparse(place).replace(old, new)).body
    for parent in ast.walk(tree):
        body = getattr(parent, "body", None)
        if isinstance(body, list) and place in body:
            at = body.index(place)
            body[at : at + 1] = instead
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
