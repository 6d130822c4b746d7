"""Compile the knowledge files: read them, expand claim ids and phrases, and check them against the schema."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rebalance_proofs.model.releases import LAST
from rebalance_proofs.recorded.knowledge.schema import CLAIMS, FREE, KnowledgeError, problems
from rebalance_proofs.recorded.knowledge.statements.inventory import INVENTORIES, from_toml, worded

FOLDER = Path(__file__).parent
"""The folder of the knowledge files."""
BRACES = re.compile(r"\{([^{}]*)\}")
PHRASE = re.compile(r"\{([a-z][a-z-]*)\}")
RELEASES = re.compile(r"\{java from (\d+\.\d+(?:\.\d+)?)\}")
SPAN = {"en": "Java {} to {}", "zh": "Java {} 至 {}"}
"""The text for ``{java from 5.2}``: all releases from that one to the newest whose source was read."""


def read(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return the content of all knowledge files: folder -> file name without ``.toml`` -> parsed file.

    Files beside the folders are in the folder "". Files with a ``place`` are sorted by it. Raises ``KnowledgeError``
    for a file that is not TOML.
    """
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.rglob("*.toml")):
        try:
            parsed = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise KnowledgeError([f"{path.relative_to(folder)}: not valid TOML: {error}"]) from None
        parent = path.parent.relative_to(folder).as_posix()
        found.setdefault("" if parent == "." else parent, {})[path.stem] = parsed
    return {
        name: dict(sorted(files.items(), key=lambda item: (item[1].get("place", 0), item[0])))
        for name, files in sorted(found.items())
    }


def compiled(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return the knowledge as the package loads it. Raises ``KnowledgeError`` with all problems of the files.

    Log statements become wordings of the lines that they name.
    """
    everything = read(folder)
    if found := problems(everything):
        raise KnowledgeError(found)
    phrases = {one["name"]: one for one in everything[""]["symptoms"]["phrase"]}
    statements = everything.pop("statements", {})
    everything.pop("questions", None)
    if "words" in everything:
        everything["words"] = _joined(everything["words"])
    worded(everything.get("lines", {}), [from_toml(statements[name]) for name in INVENTORIES if name in statements])
    return {
        name: files if name in FREE else {stem: _made(file, phrases) for stem, file in files.items()}
        for name, files in everything.items()
    }


def asked(folder: Path = FOLDER) -> list[dict[str, Any]]:
    """Return the known questions."""
    return [one for file in read(folder / "questions")[""].values() for one in file["question"]]


def _joined(files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return files of words; the meanings of a file that names its ``kind`` are at the end of the file of that name."""
    found = {stem: dict(file) for stem, file in files.items() if "kind" not in file}
    for file in (one for one in files.values() if "kind" in one):
        whole = found.setdefault(file["kind"], {})
        whole["meaning"] = [*whole.get("meaning", ()), *file["meaning"]]
    return found


def expanded(claim: str) -> Iterator[str]:
    """Yield the claim ids for which a pattern with braces stands: ``a.{b,c}`` for ``a.b`` and ``a.c``."""
    match = BRACES.search(claim)
    if match is None:
        yield claim
        return
    for one in match[1].split(","):
        yield from expanded(claim[: match.start()] + one.strip() + claim[match.end() :])


def _made(value: Any, phrases: Mapping[str, Mapping[str, str]]) -> Any:
    """Return a parsed value with its claim ids and texts expanded."""
    if isinstance(value, list):
        return [_made(one, phrases) for one in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for key, one in value.items():
        if key in CLAIMS:
            made[key] = [name for claim in one for name in expanded(claim)]
        elif key in SPAN:
            made[key] = _told(one, key, phrases)
        else:
            made[key] = _made(one, phrases)
    return made


def _told(text: str, language: str, phrases: Mapping[str, Mapping[str, str]]) -> str:
    with_phrases = PHRASE.sub(lambda match: phrases[match[1]][language], text)
    return RELEASES.sub(lambda match: SPAN[language].format(match[1], LAST), with_phrases)
