"""Draw hash rings of consistent hashing as strips: virtual nodes and queues, sorted by hash value."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH_GO
from rebalance_proofs.model.worlds import two_rings
from rebalance_proofs.model.worlds.rings import Ring
from rebalance_proofs.model.worlds.two_rings import TwoRings
from rebalance_proofs.report.drawing import LETTER, MARGIN, Sheet
from rebalance_proofs.report.names import readable

CHIP, GAP = 26, 20
"""Pixels: height of a chip (the box of one ring position), and space between chips for an arrow."""
AGAIN = "↻"


@dataclass(frozen=True)
class Strip:
    """One hash ring, drawn as a strip of boxes (chips)."""

    title: str
    blocks: tuple[tuple[str, ...], ...]
    """Names of virtual nodes and queues at each position of the ring.

    Several names if hash values collide.
    """

    @property
    def width(self) -> float:
        """Width of the strip on one line, in pixels."""
        return sum(_width(block) + GAP for block in self.blocks) + GAP


@singledispatch
def strips(setting: object) -> tuple[Strip, ...]:
    """Return the hash rings for the strategy's inputs in a group.

    Empty if the strategy does not hash.
    """
    return ()


@strips.register
def _one(ring: Ring) -> tuple[Strip, ...]:
    if not ring.nodes:
        return ()
    hashes = {key: ring.hashes[key] for key, _ in ring.nodes}
    hashes |= {f"queue {place}": ring.hashes[key] for place, key in enumerate(ring.queues)}
    blocks = two_rings.blocks(hashes)
    return (Strip(f"Hash ring: {_rule(ring.strategy, blocks)}.{_collision(blocks)}", blocks),)


@strips.register
def _two(rings: TwoRings) -> tuple[Strip, ...]:
    found = []
    for client, order in zip(rings.clients, rings.orders, strict=True):
        blocks = tuple(tuple(names.split(" = ")) for names in order)
        whose = readable(f"Hash ring in {client},")[:-1]
        found.append(Strip(f"{whose}: {_rule(client, blocks)}.{_collision(blocks)}", blocks))
    return tuple(found)


def _rule(name: str, blocks: Sequence[tuple[str, ...]]) -> str:
    """Return a sentence on how the strategy assigns queues to virtual nodes, with collisions if any."""
    rule = "a queue goes to the next node on the right"
    if all(len({name.startswith("queue") for name in block}) == 1 for block in blocks):
        return rule
    return f"{rule}, {'never' if name == CONSISTENT_HASH_GO.name else 'or'} to one at its own hash"


def _collision(blocks: Sequence[tuple[str, ...]]) -> str:
    """Return a sentence on virtual nodes with equal hash values; empty if there are none."""
    nodes = ([name for name in block if not name.startswith("queue")] for block in blocks)
    return " If nodes collide, the node of the later id in cidAll is used." if any(len(b) > 1 for b in nodes) else ""


def _width(block: tuple[str, ...]) -> float:
    return LETTER * len(" = ".join(block)) + 18


def draw(sheet: Sheet, strip: Strip) -> None:
    """Draw the ring's title, and its boxes with arrows between them and back to the first."""
    sheet.paragraph("view", strip.title)
    sheet.top += 2
    x = float(MARGIN)
    for place, block in enumerate(strip.blocks):
        width = _width(block)
        if place and x + width + GAP > MARGIN + sheet.width:
            x, sheet.top = float(MARGIN), sheet.top + CHIP + 6
        queues = all(name.startswith("queue") for name in block)
        kind = "chip queue" if queues else "chip node" if len(block) == 1 else "chip both"
        sheet.box(kind, x, sheet.top, width, CHIP, round_=4 if queues else CHIP // 2)
        sheet.text("chip", x + width / 2, sheet.top + CHIP / 2, " = ".join(block))
        last = place == len(strip.blocks) - 1
        sheet.text("view", x + width + GAP / 2, sheet.top + CHIP / 2, AGAIN if last else "→")
        x += width + GAP
    sheet.top += CHIP + 10
