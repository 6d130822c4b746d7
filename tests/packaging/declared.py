"""Comparison of what the package imports with the dependencies that pyproject.toml declares."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.faults.anchors import PARTS
from tests.packaging.problem import Problem

TYPES_ONLY = {"_typeshed"}
"""Modules that exist for type checkers alone."""


def dependencies(tree: Path) -> dict[str, str]:
    """The requirements in ``[project].dependencies``, by normalized name."""
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {normalized(re.split(r"[^\w.-]", line, maxsplit=1)[0]): line for line in project["dependencies"]}


def normalized(name: str) -> str:
    """A distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def imported(tree: Path) -> dict[str, str]:
    """First file that imports each top-level module, of modules from elsewhere."""
    found: dict[str, str] = {}
    for folder in ("rebalance_proofs", *PARTS):
        for path in sorted((tree / folder).rglob("*.py")):
            for name in modules(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(name, path.relative_to(tree).as_posix())
    ours = {*sys.stdlib_module_names, *TYPES_ONLY, "rebalance_proofs"}
    return {name: path for name, path in found.items() if name not in ours}


def modules(source: ast.Module) -> Iterator[str]:
    """Top-level modules of absolute imports, in functions too, and of ``import_module`` with a literal name."""
    for node in ast.walk(source):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.split(".")[0] for alias in names)
            case ast.ImportFrom(module=str(name), level=0):
                yield name.split(".")[0]
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name.split(".")[0]


def require_declared(tree: Path) -> int:
    """Number of third-party modules. Raises ``Problem`` if one is not declared, or a declared one is not used."""
    declared, known = dependencies(tree), packages_distributions()
    used = set()
    for module, path in imported(tree).items():
        names = {normalized(name) for name in known.get(module, ())}
        if not names:
            raise Problem(f"{path} imports {module}, which no installed distribution provides")
        if not names & declared.keys():
            raise Problem(f"{path} imports {module}; pyproject.toml does not declare {' or '.join(sorted(names))}")
        used |= names
    if idle := declared.keys() - used:
        raise Problem(f"pyproject.toml declares {', '.join(sorted(idle))}, which the package does not import")
    return len(used)
