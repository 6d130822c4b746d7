"""All formats of recorded results.

To add a format, write its module in this folder and name it in ``FORMATS``.
"""

from rebalance_proofs.recorded import (
    avg,
    consistent_hash,
    consistent_hash_special,
    errors,
    machine_room,
    machine_room_nearby,
    ring_hash,
    sort_cases,
)
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.transition import offset, pairs, scripted, single, store

FORMATS: tuple[Format, ...] = (
    avg.FORMAT,
    consistent_hash.FORMAT,
    consistent_hash_special.FORMAT,
    errors.FORMAT,
    machine_room.FORMAT,
    machine_room_nearby.FORMAT,
    offset.NODE_FORMAT,
    single.NODE_FORMAT,
    offset.FORMAT,
    pairs.FORMAT,
    ring_hash.FORMAT,
    scripted.FORMAT,
    single.FORMAT,
    sort_cases.FORMAT,
    store.FORMAT,
)
