"""Explores in a folder again and again, killed at another moment each time, until it is done.

A program of its own: it forks, so that imports are not repeated.
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

FURTHER = 7
"""Levels; the exploration is killed before it has made that many more."""


def digests(product: Product, folder: Path) -> str:
    with explored(product, {}, LEAST, folder) as exploration:
        return " ".join(f"{level.digest:x}" for level in exploration.levels())


def known(folder: Path) -> int:
    return len(list(folder.glob("levels/*.json")))


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
        # some levels later, however fast it is, and then at any moment
        wanted = known(folder) + moments.randrange(FURTHER)
        ended = (0, 0)
        while known(folder) < wanted and not ended[0]:
            sleep(0.001)
            ended = os.waitpid(child, os.WNOHANG)
        if not ended[0]:
            sleep(moments.uniform(0, seconds))
            os.kill(child, signal.SIGKILL)
            ended = os.waitpid(child, 0)
        if os.WIFSIGNALED(ended[1]):
            killed += 1
            levels.append(known(folder))
        else:
            number += 1
    print(levels)
    for one in range(number + 1):
        print(digests(product, place / f"{one}"))


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(map(int, sys.argv[2].split(","))), int(sys.argv[3]), float(sys.argv[4]))
