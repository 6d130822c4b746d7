"""The JavaScript of the report page, concatenated from the files in script/."""

from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "script"


@dataclass(frozen=True)
class Script:
    """The text of the script, and its hash for the content security policy."""

    text: str
    fingerprint: str
    """The hash in the notation of a content security policy: ``sha256-...``."""


@cache
def script() -> Script:
    """Return the whole script. Each file has its own block scope.

    Files share names only through ``page``.
    """
    files = sorted(FOLDER.glob("*.js"))
    blocks = "".join(f"{{\n{file.read_text(encoding='utf-8')}}}\n" for file in files)
    text = f'"use strict";\nconst page = {{}};\n{blocks}'
    return Script(text, f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}")
