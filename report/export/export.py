"""Write the counterexample of a claim as a test of the real client."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.export import allocation, receiving, step
from rebalance_proofs.report.export.files import Exported, Language, exported
from rebalance_proofs.report.kinds import smallest
from rebalance_proofs.report.own.output import OutputError, require_own

LANGUAGES: Mapping[str, Language] = {
    one.name: one
    for one in (
        Language(
            "junit",
            "src/test/java/{name}Test.java",
            "//",
            "mvn -q test -Dtest={name}Test -Drocketmq.version={version}",
            True,
        ),
        Language("pytest", "test_{name}.py", "#", "pip install {package}=={version} pytest && python -m pytest {path}"),
        Language("go", "{name}_test.go", "//", "go test -mod=mod -run 'Test_{name}$' ."),
        Language("rust", "tests/{name}.rs", "//", "cargo test --test {name}"),
        Language("node", "{name}.test.js", "//", "npm install {package}@{version} && node --test {path}"),
    )
}
"""Value of ``--for`` -> the language."""
WRITERS: Mapping[str, ModuleType] = {"allocation": allocation, "transition": step, "receiving": receiving}
"""Kind of claims -> the module that writes their tests."""


def languages(claim: Claim) -> tuple[str, ...]:
    """Return the languages that have a writer for the claim's counterexample, in the order of ``LANGUAGES``."""
    writer = WRITERS.get(claim.world.kind)
    found = () if writer is None or claim.holds else writer.languages(claim)
    return tuple(name for name in LANGUAGES if name in found)


def export(claim: Claim, language: str) -> Exported:
    """Return the test of a refuted claim in a language. Raises ``UsageError`` with one sentence."""
    if claim.holds:
        raise UsageError(f"{claim.id} is proved: there is no counterexample")
    known = languages(claim)
    if not known:
        raise UsageError(f"{claim.id} has no test writer: no released client runs its counterexample in a test")
    if language not in known:
        raise UsageError(f"{claim.id} has no test writer for {language}; it has one for {', '.join(known)}")
    try:
        example = smallest(claim)
        body = WRITERS[claim.world.kind].body(claim, language, example)
    except LookupError as error:
        raise UsageError(str(error)) from None
    return exported(claim, LANGUAGES[language], body, example.sentence)


# Exported tests in one folder: earlier files are kept, unless the new test cannot run beside them.


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
