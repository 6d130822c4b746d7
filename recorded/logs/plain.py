"""Remove markup from a log line that a web page, mail, chat, JSON encoder or tool has added."""

import re
from html import unescape

SIGNS = (b"\x1b", b"\\", b"&", b"<", b"**", b"@kibana-")
"""Characters that markup contains; an ASCII line without any of them is unaltered."""
COLOURS = re.compile(r"\x1b\[[0-9;]*[mK]")
ENTITY = re.compile(r"&(?:#\d{1,5}|#[xX][0-9a-fA-F]{1,4}|[a-zA-Z]{2,8});")
INLINE = re.compile(
    r"</?(?:em|mark|b|i|u|s|a|strong|span|font|code|tt|kbd)(?:\s[^<>]*)?>|@/?kibana-highlighted-field@", re.I
)
"""Markup of words inside a line, as in search results on a web page."""
BLOCK = re.compile(r"</?(?:p|div|td|th|tr|li|pre)(?:\s[^<>]*)?>", re.I)
UNICODE = re.compile(r"\\+u00([2-7][0-9a-fA-F])")
"""An ASCII character as Gson and others write it: ``\\u003d`` for an equals sign."""
ESCAPED = re.compile(r"\\([\[\](){}=.*_#+!|~<>@-])")
"""Backslashes before punctuation, as in Markdown.

Quotes are excluded, because JSON escapes them.
"""
BOLD = re.compile(r"(?<![*\w.])\*\*(?=[^\s*])([^*]+)(?<=[^\s*])\*\*(?![*\w.])")
HOURS = re.compile(r"(?<!\d)(\d{1,2})时(\d{1,2})分(\d{1,2})秒")
LETTERS = str.maketrans(
    dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", "")
    | dict.fromkeys("\u00a0\u2007\u202f\u3000", " ")
    | {"’": "'", "‘": "'", "“": '"', "”": '"', "，": ", ", "：": ":", "【": "[", "】": "]"}
)
"""Non-breaking spaces, invisible characters, and punctuation that editors substitute.

Names of topics and groups contain none of these.
"""
STRANGE = re.compile(f"[{''.join(map(chr, LETTERS))}时]")
"""Pattern of characters in ``LETTERS``, or the Chinese sign for hours.

It is searched first, because that is faster than a replacement.
"""


def decoded(line: bytes) -> str:
    """Return a line's text, in UTF-8 or else in GB18030, the encoding of Chinese consoles."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("gb18030")
    except UnicodeDecodeError:
        return line.decode("utf-8", "replace")


def plain(line: bytes) -> bytes:
    """Return the line without added markup; the same bytes if it has none."""
    ascii_ = line.isascii()
    if ascii_ and not any(sign in line for sign in SIGNS):
        return line
    try:
        text, coding = line.decode(), "utf-8"
    except UnicodeDecodeError:
        text, coding = line.decode("latin-1"), "latin-1"  # in another encoding only ASCII is known
    if coding == "utf-8" and not ascii_ and STRANGE.search(text):
        text = HOURS.sub(r"\1:\2:\3", text.translate(LETTERS))
    if "\x1b" in text:
        text = COLOURS.sub("", text)
    if "&" in text and (coding == "utf-8" or ascii_):
        text = ENTITY.sub(lambda found: unescape(found[0]).translate(LETTERS), text)
    if "<" in text or "@kibana-" in text:
        text = BLOCK.sub(" ", INLINE.sub("", text))
    if "\\" in text:
        text = UNICODE.sub(lambda found: chr(int(found[1], 16)), text)
        text = ESCAPED.sub(r"\1", text)
    if "**" in text:
        text = BOLD.sub(r"\1", text)
    return text.encode(coding)
