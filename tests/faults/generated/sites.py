"""All sites of a file: where the operators propose a change."""

import ast
from collections.abc import Iterator

from tests.faults.generated.operators import OPERATORS
from tests.faults.generated.site import Site

NOT_COMPUTED = ("annotation", "returns", "decorator_list", "type_params", "bases")
"""Fields of nodes whose content is for type checkers and readers; decorators have options, and are left alone, too."""
NAMES = ("__all__", "__slots__")


def sites_of(file: str, source: str) -> Iterator[Site]:
    """The sites of a file, in the order in which they stand there."""
    starts, lines = [0], source.split("\n")
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    seen = set()
    for node, function in _computed(ast.parse(source), "", ""):
        for operator, propose in OPERATORS.items():
            for part, new in propose(node):
                start = starts[part.lineno - 1] + part.col_offset  # type: ignore[attr-defined]
                end = starts[part.end_lineno - 1] + part.end_col_offset  # type: ignore[attr-defined]
                old = source.encode()[start:end].decode()
                line = part.lineno  # type: ignore[attr-defined]
                site = Site(file, line, start, end, operator, old, new, lines[line - 1].strip(), function)
                if (start, end, new) not in seen:
                    seen.add((start, end, new))
                    yield site


def _computed(node: ast.AST, scope: str, function: str) -> Iterator[tuple[ast.AST, str]]:
    """The nodes that are computed, each with the innermost function that it stands in, named as Python names it."""
    yield node, function
    if isinstance(node, ast.ClassDef):
        scope += f"{node.name}."
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        function = f"{scope}{node.name}"
        scope = f"{function}.<locals>."
    for field, value in ast.iter_fields(node):
        if field in NOT_COMPUTED or _names(node) or _strict(node):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr) and not _types(node, child):
                yield from _computed(child, scope, function)


def _names(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id in NAMES for one in node.targets)


def _strict(node: ast.AST) -> bool:
    """Whether it is ``strict`` of a ``zip``, which only says that both are of one length."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _types(node: ast.AST, child: ast.AST) -> bool:
    """Whether it may be the arguments of a type, as in ``Mapping[str, object]``."""
    return isinstance(node, ast.Subscript) and child is node.slice and isinstance(child, ast.Tuple)
