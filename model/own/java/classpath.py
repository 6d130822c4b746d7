"""Checks of a user's classpath before a JVM starts.

They are needed because a JVM silently skips missing entries.
"""

import os
import re
import shutil
import struct
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile, is_zipfile

from rebalance_proofs.model.own.literals import SEPARATORS, Literals, from_texts
from rebalance_proofs.model.own.named import StrategyError

# The Java installation of this machine.

OLDEST = 17
"""The oldest version that Spark 4 supports, and the target of the classes in ``rebalance/``."""
PATIENCE = 20.0
"""Time limit of ``java -version`` in seconds.

It takes a fraction of a second; on a busy machine a few.
"""


class NoJava(Exception):
    """Raised if this machine has no usable Java.

    The text gives the reason, as a verb phrase whose subject needs Java.
    """


class Java(NamedTuple):
    """A usable Java installation."""

    path: str
    """The command ``java``."""
    version: str
    """The version that ``java -version`` reports: ``17.0.15``."""


def find_java(oldest: int = OLDEST) -> Java:
    """Return the Java of JAVA_HOME, or else of the PATH.

    Raises ``NoJava`` if it is missing or older than ``oldest``.
    """
    home = os.environ.get("JAVA_HOME")
    path = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if not path:
        where = f"under JAVA_HOME={home}" if home else "on the PATH"
        raise NoJava(f"needs Java, which was not found {where}")
    try:
        file = os.stat(path)
        said = _said(path, (file.st_ino, file.st_size, file.st_mtime_ns))
    except subprocess.TimeoutExpired as error:
        raise NoJava(f"needs Java, but {path} did not answer within {PATIENCE:g} s") from error
    except OSError as error:
        raise NoJava(f"needs Java, but {path} does not run ({error.strerror})") from error
    version = re.search(r'version "((?:1\.)?(\d+)[^"]*)"', said)
    if not version:
        raise NoJava(f"needs Java, but {path} did not print its version")
    if int(version[2]) < oldest:
        raise NoJava(f"needs Java {oldest} or newer, but {path} is version {version[2]}")
    return Java(path, version[1])


@cache
def _said(path: str, file: tuple[int, ...]) -> str:
    """Return the output of ``java -version``; it is cached until the values of ``file`` change."""
    call = [path, "-version"]
    done = subprocess.run(call, check=False, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    return done.stderr.decode(errors="replace")


def entries(typed: str) -> tuple[str, ...]:
    """Return the folders and jars of ``a.jar:classes:lib/*``; a folder ``lib`` with jars also means ``lib/*``.

    Raises ``StrategyError`` for a missing one, and if ``lib/*`` is the only entry and has no jar.
    """
    if not typed.strip():
        raise StrategyError("the classpath is empty; name the jars and folders that contain the strategy")
    named = tuple(typed.split(os.pathsep))
    for entry in named:
        _require(entry, typed)
    found = tuple(each for entry in named for each in (entry, *_jars(entry)))
    if not any(files(found)):
        raise StrategyError(f"the classpath {typed!r} names no jar: its folder contains none")
    return found


def _require(entry: str, typed: str) -> None:
    if not entry.strip():
        raise StrategyError(f"the classpath {typed!r} has an empty entry; remove the extra separator")
    path = Path(entry)
    if path.name == "*":
        if not path.parent.is_dir():
            raise StrategyError(
                f"the classpath entry {entry!r} names jars in {str(path.parent)!r}, which is not a folder"
            )
    elif not path.exists():
        raise StrategyError(f"the classpath entry {entry!r} does not exist")
    elif not path.is_dir() and not is_zipfile(path):
        raise StrategyError(f"the classpath entry {entry!r} is neither a folder nor a jar")


def _jars(entry: str) -> tuple[str, ...]:
    """Return the entry for the jars of a folder; () for another entry, or without jars."""
    inside = str(Path(entry) / "*")
    return (inside,) if Path(entry).is_dir() and any(files((inside,))) else ()


def files(classpath: Sequence[str]) -> Iterator[Path]:
    """Yield the folders and jars; an entry ``lib/*`` yields each jar of the folder."""
    for entry in map(Path, classpath):
        if entry.name == "*":
            yield from sorted(entry.parent.glob("*.[jJ][aA][rR]"))
        else:
            yield entry


def places(classpath: Sequence[str], opened: ExitStack) -> Iterator[Path | ZipFile]:
    """Yield the folders, and the jars, which ``opened`` closes; files that are no jars are left out."""
    for path in files(classpath):
        with suppress(OSError, ValueError, BadZipFile):
            yield path if path.is_dir() else opened.enter_context(ZipFile(path))


def read(there: Iterable[Path | ZipFile], inside: str) -> bytes:
    """Return the content of the first file with that name in folders and jars; empty if there is none."""
    for place in there:
        with suppress(OSError, KeyError, ValueError, BadZipFile):
            return (place / inside).read_bytes() if isinstance(place, Path) else place.read(inside)
    return b""


def hash_of(classpath: Sequence[str], name: str) -> str:
    """Return the SHA-256 of the class file, which identifies its version.

    Empty if the file is not found.
    """
    with ExitStack() as opened:
        data = read(places(classpath, opened), f"{name.replace('.', '/')}.class")
    return sha256(data).hexdigest() if data else ""


# String constants of a user's Java class, from its class file and those of its own packages.

UTF8, INTEGER, LONG, DOUBLE, CLASS, STRING = 1, 3, 5, 6, 7, 8
SIZES = {INTEGER: 4, 4: 4, LONG: 8, DOUBLE: 8, CLASS: 2, STRING: 2, **dict.fromkeys((9, 10, 11, 12, 17, 18), 4)} | {
    15: 3,
    16: 2,
    19: 2,
    20: 2,
}
"""Size in bytes of each kind of constant, without its tag. Source: JVM specification, 4.4."""
BIPUSH = 0x10
"""Instruction that pushes a byte, such as the character '@'."""
MOST = 40
"""The maximum number of class files that are read."""
FOREIGN = ("java/", "javax/", "jdk/", "sun/", "org/apache/", "com/alibaba/rocketmq/", "org/slf4j/")
"""Packages whose classes are not the user's."""


def literals(classpath: Sequence[str], name: str) -> Literals:
    """Return the texts that the class and the user's other classes that it names look for in names."""
    texts: dict[str, None] = {}
    waiting = [name.replace(".", "/")]
    seen: set[str] = set()
    with ExitStack() as opened:
        there = list(places(classpath, opened))
        while waiting and len(seen) < MOST:
            one = waiting.pop(0)
            if one in seen:
                continue
            seen.add(one)
            data = read(there, f"{one}.class")
            if not data:
                continue
            with suppress(struct.error, IndexError, UnicodeDecodeError, KeyError):
                strings, classes = constants(data)
                texts |= dict.fromkeys(
                    part for text in strings for part in text.replace("\2", "\1").split("\1") if part
                )
                texts |= dict.fromkeys(chr(at) for at in map(ord, SEPARATORS) if bytes((BIPUSH, at)) in data)
                waiting += [other for other in classes if not other.startswith((*FOREIGN, "["))]
    return from_texts(texts)


def constants(data: bytes) -> tuple[list[str], list[str]]:
    """Return the strings and the class names of a class file's constant pool, in its order.

    Raises ``struct.error``, ``IndexError``, ``KeyError`` or ``UnicodeDecodeError`` for other data.
    """
    (count,) = struct.unpack_from(">H", data, 8)
    texts: dict[int, str] = {}
    strings: list[int] = []
    classes: list[int] = []
    at, index = 10, 1
    while index < count:
        tag = data[at]
        if tag == UTF8:
            (size,) = struct.unpack_from(">H", data, at + 1)
            texts[index] = data[at + 3 : at + 3 + size].decode("utf-8", "replace")
            at += 3 + size
        else:
            if tag in (STRING, CLASS):
                (strings if tag == STRING else classes).append(struct.unpack_from(">H", data, at + 1)[0])
            at += 1 + SIZES[tag]
        index += 2 if tag in (LONG, DOUBLE) else 1
    return [texts[one] for one in strings], [texts[one] for one in classes]
