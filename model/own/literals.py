"""Texts that a strategy's code looks for in names: its string literals, and examples of its patterns."""

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from rebalance_proofs.model.own.named import Named

codes: Any = import_module("re._constants")
parser: Any = import_module("re._parser")
WORD = re.compile(r"[\w@#%:.\-/~+=!$&|]{1,32}", re.ASCII)
"""Form of a text that can be a part of a name: no spaces, no braces, no other scripts."""
FORMAT = re.compile(r"%[-+0-9.]*[sdifxr]\b|^(utf-?8|ascii|latin-?1|md5|sha\d+|__\w+__)$", re.IGNORECASE)
"""Texts that format messages, or that name encodings and hashes."""
META = re.compile(r"[\\^$*+?()\[\]{}|]")
"""Characters of a text that is probably a pattern."""
SEPARATORS = "@-_#:%.~/|"
FEW = 8
"""The maximum number of texts that are used; those in comparisons come first."""
MOST = 20
"""The maximum number of source files that are read."""
LETTERS = ("a", "b")
DIGITS = {"a": "1", "b": "3"}
"""The examples of a pattern differ in these letters and digits, because code often compares two parts of names."""
ALTERNATIVES = 4
"""The maximum number of examples of one pattern."""
MATCHING = ("startswith", "endswith", "removeprefix", "removesuffix", "find", "index", "rindex", "rfind", "count")
SPLITTING = ("split", "rsplit", "partition", "rpartition")
PATTERNS = ("match", "search", "fullmatch", "findall", "finditer", "compile", "sub")
READING = ("getenv", "getLogger", "open")


class Literals(NamedTuple):
    """The texts of a strategy's code that can be parts of names."""

    words: tuple[str, ...] = ()
    """Texts such as ``@gray`` and ``zone-``, in the order of their importance."""
    separators: tuple[str, ...] = ()
    """Single characters that separate the parts of a name, such as ``-``."""
    numbers: bool = False
    """True if the code converts texts to numbers, so that a text may stand before a number."""


def from_python(nodes: Iterable[ast.AST]) -> Literals:
    """Return the texts in Python code, those in comparisons and searches first."""
    weighed: dict[str, int] = {}
    numbers = False
    for tree in nodes:
        with suppress(RecursionError):
            numbers |= any(isinstance(node, ast.Name) and node.id in ("int", "float") for node in ast.walk(tree))
            for text, weight in _constants(tree):
                weighed[text] = max(weight, weighed.get(text, 0))
    return from_texts(sorted(weighed, key=lambda text: -weighed[text]), numbers)


def from_texts(texts: Iterable[str], numbers: bool = False) -> Literals:
    """Return the texts that can be parts of names; a pattern is replaced by texts that match it."""
    words: dict[str, None] = {}
    separators: dict[str, None] = {}
    for text in texts:
        for one in (_examples(text) if META.search(text) else []) or [text]:
            if len(one) == 1 and one in SEPARATORS:
                separators[one] = None
            elif WORD.fullmatch(one) and re.search(r"[^\W_]", one) and not one.isdigit() and not FORMAT.search(one):
                words[one] = None
    return Literals(tuple(words)[:FEW], tuple(separators), numbers)


def _constants(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield (text, weight) of each string in the code that is not a docstring or a message.

    Texts in comparisons and in calls that search a name have the largest weight.
    """
    skipped: set[ast.AST] = set()
    weights: dict[ast.AST, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        elif isinstance(node, ast.Raise | ast.Assert):
            skipped |= {one for one in ast.walk(node) if isinstance(one, ast.Constant)}
        elif isinstance(node, ast.Compare):
            weights |= dict.fromkeys(_strings([node.left, *node.comparators]), 2)
        elif isinstance(node, ast.Call):
            name = _called(node)
            if name in (*MATCHING, *SPLITTING, *PATTERNS):
                weights |= dict.fromkeys(_strings(node.args), 2)
            elif name in READING:
                skipped |= set(_strings(node.args))
        skipped |= set(_strings(_of_environment(node)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.value, weights.get(node, 1)


def _called(node: ast.Call) -> str:
    """Return the name of the called function or method; empty for other expressions."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else str(getattr(node.func, "id", ""))


def _of_environment(node: ast.AST) -> list[ast.expr]:
    """Return the arguments with which the code reads the environment; none if it does not."""
    if isinstance(node, ast.Call):
        name = _called(node)
        return node.args if name == "getenv" or (name == "get" and "environ" in ast.dump(node.func)) else []
    return [node.slice] if isinstance(node, ast.Subscript) and "environ" in ast.dump(node.value) else []


def _strings(nodes: Sequence[ast.AST]) -> list[ast.Constant]:
    """Return the string constants of these expressions, also in tuples and lists."""
    return [
        one
        for node in nodes
        for one in (ast.walk(node) if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node])
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def _examples(pattern: str) -> list[str]:
    """Return short texts that match the pattern, one for each alternative; empty if it is no pattern."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about patterns that Python will read otherwise some day
            parsed = parser.parse(pattern)
            found = [one for letter in LETTERS for one in _of(parsed, letter)]
            return [one for one in dict.fromkeys(found) if one and re.search(pattern, one)][:ALTERNATIVES]
    except (re.error, OverflowError, RecursionError, ValueError):
        return []


def _of(parsed: Any, letter: str) -> list[str]:
    """Return texts for a parsed pattern; other constructs, such as lookaheads, give no text."""
    found = [""]
    for kind, value in parsed:
        parts = _part(kind, value, letter)
        found = [before + part for before in found for part in parts][:ALTERNATIVES]
    return found


def _part(kind: Any, value: Any, letter: str) -> list[str]:
    if kind is codes.LITERAL:
        return [chr(value)]
    if kind is codes.IN:
        return [_member(value, letter)]
    if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        least, most, inner = value
        if inner and inner[0][0] is codes.ANY and not least:
            return [""]  # .* stands for the rest of a name
        return [one * max(least, min(most, 1)) for one in _of(inner, letter)]
    if kind is codes.SUBPATTERN:
        return _of(value[-1], letter)
    if kind is codes.BRANCH:
        return [one for branch in value[1] for one in _of(branch, letter)][:ALTERNATIVES]
    return [letter] if kind in (codes.ANY, codes.NOT_LITERAL) else [""]


def _member(items: Any, letter: str) -> str:
    """Return a character of a set such as ``[a-z]`` or ``\\d``; if possible, ``letter`` or a digit."""
    for kind, value in items:
        if kind is codes.LITERAL:
            return chr(value)
        if kind is codes.RANGE:
            fits = (one for one in (letter, DIGITS[letter]) if value[0] <= ord(one) <= value[1])
            return next(fits, chr(value[0]))
        if kind is codes.CATEGORY:
            return {codes.CATEGORY_DIGIT: DIGITS[letter], codes.CATEGORY_SPACE: " "}.get(value, letter)
    return letter  # [^...]


def sources(named: Named) -> Iterator[ast.AST]:
    """Yield the parsed code of the strategy: its definition, and what this uses of its file and of files beside it.

    Nothing is imported.
    """
    first = _file(named)
    waiting = [(first, {named.what.split(".")[0]})] if first else []
    seen: set[Path] = set()
    while waiting and len(seen) < MOST:
        path, wanted = waiting.pop(0)
        if (path := path.resolve()) in seen:
            continue
        seen.add(path)
        with suppress(OSError, UnicodeDecodeError, SyntaxError, ValueError, RecursionError):
            used, nodes = _used(ast.parse(path.read_text(encoding="utf-8")), wanted)
            yield from nodes
            waiting += [(path.parent / f"{name}.py", names) for name, names in _imported(nodes, used)]


def _used(tree: ast.Module, wanted: set[str]) -> tuple[set[str], list[ast.AST]]:
    """Return the names that the wanted definitions use, directly or not, and the statements of these names.

    All statements if the module defines none of the wanted names.
    """
    defined: dict[str, list[ast.AST]] = {}
    for node in tree.body:
        for name in _defines(node):
            defined.setdefault(name, []).append(node)
    if not wanted & {*defined}:
        return {*defined}, list(tree.body)
    used: set[str] = set()
    nodes: dict[ast.AST, None] = {}
    waiting = list(wanted)
    while waiting:
        name = waiting.pop()
        if name in used:
            continue
        used.add(name)
        for statement in defined.get(name, []):
            nodes[statement] = None
            waiting += [one.id for one in ast.walk(statement) if isinstance(one, ast.Name)]
    return used, list(nodes)


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(one.asname or one.name).split(".")[0] for one in node.names]
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _imported(nodes: Sequence[ast.AST], used: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield (name of a file beside this one, names that are wanted from it) for each import that is used."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((one.name.rpartition(".")[2], set()) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            wanted = {one.name for one in node.names if (one.asname or one.name) in used}
            yield (node.module or "").rpartition(".")[2], wanted
            yield from ((name, set()) for name in wanted)


def variables(nodes: Iterable[ast.AST]) -> tuple[str, ...]:
    """Return the names of the variables of the environment that Python code reads by constant names."""
    found: dict[str, None] = {}
    for node in [one for tree in nodes for one in ast.walk(tree)]:
        found |= dict.fromkeys(str(one.value) for one in _strings(_of_environment(node)[:1]))
    return tuple(found)


def _file(named: Named) -> Path | None:
    """Return the strategy's file; None if its module is not found."""
    return Path(named.where) if named.in_file else _file_of(named.where)


def definition(named: Named) -> tuple[str, int]:
    """Return the path of the strategy's file, with slashes, and the line of its definition; 1 if it is not found."""
    path = _file(named)
    if not path:
        return "", 1
    with suppress(ValueError):
        path = path.resolve().relative_to(Path.cwd())
    first = named.what.split(".")[0]
    with suppress(OSError, UnicodeDecodeError, SyntaxError, ValueError, RecursionError):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if getattr(node, "name", "") == first:
                return path.as_posix(), int(node.lineno)
    return path.as_posix(), 1


def _file_of(module: str) -> Path | None:
    for folder in (".", *sys.path):
        for path in (
            Path(folder, *module.split(".")).with_suffix(".py"),
            Path(folder, *module.split("."), "__init__.py"),
        ):
            if path.is_file():
                return path
    return None
