"""Clean pasted text: decode it, and remove quotes, fences, markup and colours around its lines."""

import re
from collections.abc import Sequence

from rebalance_proofs.recorded.logs.plain import plain

Numbered = Sequence[tuple[int, str]]
"""Lines of a text, each with its number in the original."""
WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
QUOTE = re.compile(r"(?:\s?(?:>|&gt;))+ ?")
FENCE = re.compile(r"\s*(?:`{3,}|~{3,})[\w-]*\s*$")
BOXES = str.maketrans({"│": "|", "┃": "|", "║": "|", "｜": "|"})
RULE = re.compile(r"\s*[|+:=\-─━═┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬ ]{3,}\s*$")


def decoded(content: bytes) -> str | None:
    """Return the text of these bytes; None if they are not text.

    Encodings: UTF-8 and UTF-16 with or without a mark, and GBK.
    """
    if content[:2] in WIDE:
        text = content[2:].decode(WIDE[content[:2]], "replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("gb18030", "replace")
    return None if "\0" in text or text.count("\ufffd") * 10 > len(text) else text


def cleaned(text: str) -> list[tuple[int, str]]:
    """Return the lines without markup around them; blank lines, fences and rules of tables are left out."""
    lines = []
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = plain(raw.encode("utf-8", "replace")).decode("utf-8", "replace").translate(BOXES)
        quote = QUOTE.match(line)
        line = line[quote.end() :] if quote else line
        if line.strip() and not FENCE.match(line) and not RULE.match(line):
            lines.append((number, line.rstrip()))
    return lines
