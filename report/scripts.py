"""The report page's script, concatenated from small files."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

__all__ = ["FOLDER", "Script", "script"]

FOLDER = Path(__file__).parent / "script"


@dataclass(frozen=True)
class Script:
    """Script text, and the hash by which a browser recognises it."""

    text: str
    fingerprint: str
    """The hash as a content security policy writes it."""


@cache
def script() -> Script:
    """The whole script. Each file is a block scope of its own; files share names through ``page`` only."""
    files = sorted(FOLDER.glob("*.js"))
    blocks = "".join(f"{{\n{file.read_text(encoding='utf-8')}}}\n" for file in files)
    text = f'"use strict";\nconst page = {{}};\n{blocks}'
    return Script(text, f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")
