"""Exported tests in one folder: earlier files are kept, unless the new test cannot run beside them."""

import re
from collections.abc import Mapping
from pathlib import Path

from rebalance_proofs.report.export.files import Exported
from rebalance_proofs.report.own.output import OutputError, require_own

GO_PACKAGE = re.compile(r"^package (\w+)$", re.MULTILINE)


def to_write(test: Exported, folder: Path) -> Mapping[str, str | None]:
    """Return the files that a test needs: path in the folder -> text, or None if the folder has the file.

    A project file for the same release is kept, because tools and users change it. Raises ``OutputError`` for files
    that this command did not write, an edited test, and project files of another client.
    """
    found: dict[str, str | None] = {}
    for name, text in {test.path: test.text, **test.beside}.items():
        path = folder / name
        require_own(path, text.split("\n")[0])
        old = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        found[name] = None if old else text
        if old and name == test.path and old != text:
            raise OutputError(f"{str(path)!r} differs from the test to write; remove it, or name another folder")
        if old and test.needs.get(name, text) not in old:
            raise OutputError(f"{str(path)!r} does not name {test.release}, which the test needs; name another folder")
    _require_one_go_package(test, folder)
    return found


def _require_one_go_package(test: Exported, folder: Path) -> None:
    """Raise ``OutputError`` if the folder has a Go file of another package: Go refuses to run such a folder."""
    mine = GO_PACKAGE.search(test.text)
    if test.language.name != "go" or mine is None or not folder.is_dir():
        return
    for path in sorted(one for one in folder.glob("*_test.go") if one.is_file()):
        other = GO_PACKAGE.search(path.read_text(encoding="utf-8", errors="replace"))
        if other and other[1] != mine[1]:
            raise OutputError(f"{str(path)!r} is of the Go package {other[1]}, not {mine[1]}; name another folder")
