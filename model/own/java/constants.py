"""String constants of a user's Java class, from its class file and those of its own packages."""

import struct
from collections.abc import Sequence
from contextlib import ExitStack, suppress

from rebalance_proofs.model.own.java.classpath import places, read
from rebalance_proofs.model.own.literals import SEPARATORS, Literals, from_texts

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
