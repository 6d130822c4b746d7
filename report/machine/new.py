"""Write the page of a new machine from a template, and register it in the three tables of kinds."""

import keyword
import re
from importlib.resources import files
from pathlib import Path
from string import Template

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import ROOMS

TEMPLATE = "new_kind.txt"
EXAMPLE = "workers.nothing-lost.without-lock"
"""Rest of the id of the example's refuted claim."""
TABLES = ("proofs", "spark_enum", "report")
"""Folders whose ``kinds.py`` has a table of kinds."""
BEGIN, END = "] = Table(\n    {\n", "    }\n)\n"
"""Text around the rows of a table."""
NAME = re.compile(r"[a-z][a-z0-9_]*")


def write(root: Path, name: str) -> list[Path]:
    """Write the page and its rows, and return the changed files, the page first; paths begin at ``root``.

    Raises ``UsageError`` before it writes anything: if ``root`` is no checkout, the name is not possible or not new, or
    a table is not as expected.
    """
    if not (root / "model" / "machines").is_dir():
        raise UsageError(f"{root} is not a checkout of this project: clone it, and call `rebalance` of the clone")
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is not possible as a name; use lowercase letters, digits and _, such as 'counting'")
    page = Path("model", "machines", f"{name}.py")
    if name in ROOMS or (root / page).exists():
        raise UsageError(f"there is already a kind of claims {name!r}; choose another name")
    changed = {page: _page(name)}
    for folder in TABLES:
        table = Path(folder, "kinds.py")
        changed[table] = _with_row((root / table).read_text(encoding="utf-8"), table, folder, name)
    for path, text in changed.items():
        (root / path).write_text(text, encoding="utf-8")
    return [*changed]


def _page(name: str) -> str:
    text = files("rebalance_proofs.report").joinpath("templates", TEMPLATE).read_text(encoding="utf-8")
    return Template(text).substitute(name=name, title=name.replace("_", " ").capitalize())


def _with_row(source: str, table: Path, folder: str, name: str) -> str:
    head, begin, rest = source.partition(BEGIN)
    rows, end, tail = rest.partition(END)
    if not end:
        raise UsageError(f"cannot find the table of kinds in {table}; restore the file, and try again")
    row = f'        "{name}": "rebalance_proofs.{folder}.machine.declared.kind:{name}",\n'
    return f"{head}{begin}{rows}{row}{end}{tail}"
