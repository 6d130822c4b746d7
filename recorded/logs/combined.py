"""Take apart a file that contains lines of several logs, as ``grep``, ``tail`` and ``kubectl`` write it."""

import re
from collections.abc import Iterable

LARGEST_SHARE = 0.8
"""Part of a file's lines that have a label if the file is combined."""
MOST = 50
"""Most logs in one file that are taken apart."""
FILE = rb"(?P<file>[^\s:\"'{}\[\]|<>]{1,300}\.(?:log|out|txt)(?:\.\d{1,4})?)[:-](?:\d{1,9}[:-](?!\d\d[-/.]))?"
LABEL = re.compile(
    rb"(?:\[(?P<pod>pod/[^\]\s]{1,300})\] |"
    + FILE
    + rb"|(?P<service>[A-Za-z][\w.-]{0,100}?)(?: {1,40})?\| )(?=\W?\d{4}[-/.]\d\d[-/.]\d\d[ T])"
)
"""Pattern of a label before a dated line: a path by ``grep``, a pod by ``kubectl``, a service by ``docker compose``."""
AGAIN = re.compile(
    rb"(?:\[(?P<pod>pod/[^\]\s]{1,300})\] ?|" + FILE + rb"|(?P<service>[A-Za-z][\w.-]{0,100}?)(?: {1,40})?\| ?)"
)
"""Pattern of a label before any line."""
HEADER = re.compile(rb"==> (.{1,300}) <==\s*$")
"""Pattern of the line that ``tail`` writes before the lines of a file."""


def _label(line: bytes, form: re.Pattern[bytes]) -> tuple[bytes, int]:
    found = form.match(line)
    return (next(one for one in found.groups() if one), found.end()) if found else (b"", 0)


def labels(content: Iterable[bytes]) -> list[bytes]:
    """Return the labels of the logs in a file; fewer than two if the file is one log.

    Nearly all dated lines of a combined file have a label, or it has headers.
    """
    found: dict[bytes, None] = {}
    headed: dict[bytes, None] = {}
    dated = labelled = 0
    for piece in content:
        for line in piece.split(b"\n"):
            if line.startswith(b"==> ") and (header := HEADER.match(line)):
                headed[header[1]] = None
                continue
            name, _ = _label(line, LABEL)
            dated += bool(name) or line[:2] == b"20"
            if name:
                labelled += 1
                found[name] = None
        if not headed and labelled < LARGEST_SHARE * dated:
            return []
    every = list(headed) or list(found)
    return every if 2 <= len(every) <= MOST else []


def part(content: Iterable[bytes], label: bytes, known: Iterable[bytes]) -> tuple[bytes, list[int]]:
    """Return the lines of one log in a combined file, without their labels, and their numbers in the file.

    ``known``: all labels of the file. A line without a label belongs to the log of the line before.
    """
    lines = b"".join(content).splitlines()
    every = set(known)
    kept, numbers = [], []
    now = b""
    for number, line in enumerate(lines, 1):
        if line.startswith(b"==> ") and (header := HEADER.match(line)):
            now = header[1]
            continue
        name, end = _label(line, AGAIN)
        if name in every:
            now, line = name, line[end:]
        if now == label:
            kept.append(line + b"\n")
            numbers.append(number)
    return b"".join(kept), numbers
