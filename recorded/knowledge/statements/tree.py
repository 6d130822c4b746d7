"""Read source files from a folder, or from a jar, zip or tar file."""

import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

LEFT_OUT = {"test", "tests", "example", "examples", "benchmark", "docs", "node_modules", ".git"}
"""Folders whose files are no part of a client or broker."""
NUMBER = r"v?(\d+\.\d+\.\d+(?:[-.][\w.-]*?)??)"
IN_NAME = re.compile(rf"[-@]{NUMBER}(?:-sources)?(?:\.jar|\.zip|\.tgz|\.tar\.gz)?$")
POM = re.compile(rf"<artifactId>rocketmq-(?:all|client|broker)</artifactId>\s*<version>{NUMBER}</version>")
PACKAGE = re.compile(rf'"version"\s*:\s*"{NUMBER}"')


class BadTree(Exception):
    """A tree that cannot be read; the message says why."""


def files(tree: Path) -> Iterator[tuple[str, str]]:
    """Yield path and text of each source file in the tree, without tests and examples; sorted.

    Raises ``BadTree`` if the tree cannot be read.
    """
    for name, content in sorted(_contents(tree, (".java", ".go", ".cpp", ".h", ".js", ".ts"))):
        if not LEFT_OUT.intersection(name.split("/")) and not name.endswith(("_test.go", ".test.js")):
            yield name, content.decode("utf-8", "replace")


def version(tree: Path) -> str:
    """Return the version that the tree's name, pom.xml or package.json has; empty if none has."""
    if found := IN_NAME.search(tree.name):
        return found[1]
    for pattern, ends in ((POM, ("pom.xml",)), (PACKAGE, ("package.json",))):
        for _, content in sorted(_contents(tree, ends, deep=False)):
            if found := pattern.search(content.decode("utf-8", "replace")):
                return found[1]
    return ""


def _contents(tree: Path, ends: tuple[str, ...], deep: bool = True) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each file whose name ends like this; without ``deep``, only at the top."""
    try:
        if tree.is_dir():
            for path in tree.rglob("*") if deep else tree.glob("*"):
                if path.name.endswith(ends) and path.is_file():
                    yield path.relative_to(tree).as_posix(), path.read_bytes()
        elif zipfile.is_zipfile(tree):
            with zipfile.ZipFile(tree) as archive:
                for name in archive.namelist():
                    if name.endswith(ends):
                        yield name, archive.read(name)
        elif tree.is_file() and tarfile.is_tarfile(tree):
            with tarfile.open(tree) as archive:
                for member in archive:
                    if member.name.endswith(ends) and (opened := archive.extractfile(member)):
                        yield member.name, opened.read()
        else:
            raise BadTree("there is no such file" if not tree.exists() else "it is no folder, jar, zip or tar file")
    except (OSError, zipfile.BadZipFile, tarfile.TarError) as error:
        raise BadTree(getattr(error, "strerror", None) or str(error)) from error
