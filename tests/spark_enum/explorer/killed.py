"""Explores in a folder again and again, each time killed at another moment, until it has come to its end.

A program of its own: it forks, so that nothing has to be imported once more.
"""

import os
import random
import signal
import sys
from pathlib import Path
from time import sleep

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.spark_enum.explorer.exploration import LEAST, explored
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.product import Product


def digests(product: Product, folder: Path) -> str:
    with explored(product, {}, LEAST, folder) as exploration:
        return " ".join(f"{level.digest:x}" for level in exploration.levels())


def main(place: Path, size: tuple[int, ...], times: int, seconds: float) -> None:
    product = Product(lock_lite(AVERAGELY, *size))
    moments = random.Random(times)
    killed, number, levels = 0, 0, []
    while killed < times:
        folder = place / f"{number}"
        child = os.fork()
        if not child:
            digests(product, folder)
            os._exit(0)
        sleep(moments.uniform(0, seconds))
        os.kill(child, signal.SIGKILL)
        if os.WIFSIGNALED(os.waitpid(child, 0)[1]):
            killed += 1
            levels.append(len(list(folder.glob("levels/*.json"))))
        else:
            number += 1
    print(levels)
    for one in range(number + 1):
        print(digests(product, place / f"{one}"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(map(int, sys.argv[2].split(","))), int(sys.argv[3]), float(sys.argv[4]))
