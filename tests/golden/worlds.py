"""What each world of the ledger assumes, in words and in flags: one that changes without the other is seen here."""

from collections.abc import Iterator
from dataclasses import fields
from enum import Enum
from typing import Any
from zlib import crc32

from rebalance_proofs.model.machine.premise import Assumptions
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.proofs.transition.search import failing

DECLARED = ("declared", "row", "meaning")
"""Fields of declared assumptions that are shown as sentences, or in the tables of the ledger."""


def worlds() -> Iterator[str]:
    """Each world of claims about transitions and machines: the claims of it, and what is not as usual, once for all
    that have that. Assumptions are at the end, each once, by a tag.
    """
    sentences: dict[str, str] = {}
    claims: dict[str, list[str]] = {}
    for claim in LEDGER:
        if claim.kind != "allocation":
            claims.setdefault("\n".join(_told(claim.world, sentences)), []).append(claim.id)
    for told, ids in claims.items():
        yield f"{ids[0]}{f' and {len(ids) - 1} more' if len(ids) > 1 else ''}"
        yield told
    yield ""
    yield from (f"{tag} {sentence}" for tag, sentence in sentences.items())


def _told(world: Any, sentences: dict[str, str]) -> Iterator[str]:
    for field in fields(world):
        value = getattr(world, field.name)
        if value == field.default or callable(value) or field.name in DECLARED:
            continue
        if field.name in ("premises", "assumes", "defines"):
            tags = [f"{crc32(part.encode()) % 0x1000000:06x}" for part in value]
            sentences.update(zip(tags, value, strict=True))
            yield f"  {field.name}: {' '.join(tags)}"
        else:
            yield f"  {field.name}: {_plain(value)}"
    if isinstance(world, Assumptions):
        told = {"excludes": world.excludes, "restricts": world.restricts}
        yield from (f"  {what}: {' '.join(actions)}" for what, actions in told.items() if actions)
    if isinstance(world, Scenario):
        yield f"  may fail: {failing(world)}"


def _plain(value: Any) -> str:
    """A record by its name, anything else as Python writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_plain, value))})"
    return str(getattr(value, "name", repr(value)))
