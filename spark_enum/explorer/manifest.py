"""Record of a complete level in a folder.

Files of a level without such a record are left from an interrupted run.
"""

import json
import os
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer.level import Level
from rebalance_proofs.spark_enum.explorer.sorted_file import ASIDE, Sorted


@dataclass(frozen=True)
class Kept:
    """A complete level, with its files; each file has the sorted keys of consecutive parts."""

    level: Level
    files: tuple[Sorted, ...]

    def write(self, path: Path, before: str) -> str:
        """Write the record of this level, and return its digest.

        ``before`` is the digest of the previous level's record, so that the records form a chain.
        """
        level = self.level
        return write_json(
            path,
            {
                "level": level.number,
                "states": level.states,
                "digest": f"{level.digest:016x}",
                "moves": None if level.counts is None else level.counts.tolist(),
                "wrong": level.wrong,
                "often": level.often,
                "files": [asdict(file) | {"digest": f"{file.digest:016x}"} for file in self.files],
                "bytes": sum(file.bytes for file in self.files),
                "before": before,
            },
        )

    @classmethod
    def read(cls, path: Path, number: int, before: str) -> tuple["Kept", str]:
        """Read the record of a level; return the level, and the record's digest.

        Raises ``UsageError`` if the record is damaged or does not follow the previous level's record (``before``).
        """
        said, own = read_json(path)
        try:
            if (said["level"], said["before"]) != (number, before):
                raise UsageError(f"{str(path)!r} does not fit the levels before it")
            counts = None if said["moves"] is None else np.array(said["moves"], dtype=np.int64)
            level = Level(number, said["states"], int(said["digest"], 16), said["wrong"], said["often"], counts)
            files = (Sorted(**file | {"digest": int(file["digest"], 16)}) for file in said["files"])
            return cls(level, tuple(files)), own
        except (KeyError, TypeError, ValueError):
            raise UsageError(f"{str(path)!r} is damaged, or no run wrote it") from None


def write_json(path: Path, document: dict[str, Any]) -> str:
    """Write a JSON document with a digest of its content, and return the digest.

    The file is written atomically.
    """
    own = _digest(document)
    aside = path.with_name(f"{path.name}{ASIDE}")
    aside.write_text(json.dumps(document | {"sha256": own}, indent=1) + "\n", encoding="utf-8")
    os.replace(aside, path)
    return own


def read_json(path: Path) -> tuple[dict[str, Any], str]:
    """Read a JSON document with its digest; return both. Raises ``UsageError`` if it was changed."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        own = said.pop("sha256")
    except FileNotFoundError:
        raise UsageError(f"{str(path)!r} is missing") from None
    except (ValueError, KeyError, AttributeError, TypeError):
        raise UsageError(f"{str(path)!r} is damaged, or no run wrote it") from None
    if own != _digest(said):
        raise UsageError(f"{str(path)!r} has been changed since it was written")
    return said, own


def _digest(document: dict[str, Any]) -> str:
    return sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
