"""The page's script: small files, one thing each, put one after the other."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

__all__ = ["FOLDER", "Script", "script"]

FOLDER = Path(__file__).parent / "script"


@dataclass(frozen=True)
class Script:
    """What stands in the page, and by what a browser knows that it is this and nothing else."""

    text: str
    fingerprint: str
    """As a content security policy says it."""


@cache
def script() -> Script:
    """Each file is a block of its own, so that none knows the names of another, but for what it puts into ``page``."""
    files = sorted(FOLDER.glob("*.js"))
    blocks = "".join(f"{{\n{file.read_text(encoding='utf-8')}}}\n" for file in files)
    text = f'"use strict";\nconst page = {{}};\n{blocks}'
    return Script(text, f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")
