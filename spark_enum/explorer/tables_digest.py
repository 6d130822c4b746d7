"""A digest of everything that determines successors, to detect changed tables.

Numbers of states have another meaning if the tables differ.
"""

from hashlib import sha256

import numpy as np

from rebalance_proofs.spark_enum.explorer.product import Product


def tables_digest(product: Product) -> str:
    """Return the hexadecimal digest of the model's name, moves, bad states (watches) and tables."""
    model, found = product.model, sha256()

    def add(*told: object) -> None:
        for one in told:
            data = np.ascontiguousarray(one).tobytes() if isinstance(one, np.ndarray) else repr(one).encode()
            found.update(len(data).to_bytes(8, "little") + data)

    add(model.name, model.queues, product.numbering, product.start)
    add(product.queue.rows.shape, product.queue.rows.astype(np.int64))
    for tables in (product.queue.after, product.queue.flags):
        for name, table in tables.items():
            add(name, table.astype(np.int64))
    add(*((str(move), move.fault) for move in model.moves))
    add(*(repr(members) for members in product.members.states))
    for turns in product.members.after:
        add([(turn[0], turn[1].letters) if turn else None for turn in turns])
    for watch in model.watches:
        wrong, each = watch.wrong, range(model.queues)
        flags = [[wrong(one, queue) for queue in each] for one in product.members.states] if wrong else ()
        add(watch.name, watch.sentence, flags)
    return found.hexdigest()
