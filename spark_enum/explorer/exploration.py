"""Exploration of a group: in memory while its states fit, then in a folder; locally or on Spark."""

import json
import platform
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum import marker
from rebalance_proofs.spark_enum.explorer.folder import Folder
from rebalance_proofs.spark_enum.explorer.in_memory import InMemory, in_memory
from rebalance_proofs.spark_enum.explorer.levels import next_level, started
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.sorted_file import Shelf, Sizes, read_json, write_json
from rebalance_proofs.spark_enum.explorer.store import Full, Level, Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rebalance_proofs.spark_enum.explorer.on_spark import OnSpark

# A digest of everything that determines successors, to detect changed tables.
# Numbers of states have another meaning if the tables differ.


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


FORMAT = 3
"""Format version of a folder with states; an exploration of another version is not continued."""
MEMORY = 2 << 30
"""Default memory limit in bytes."""
LEAST = 16 << 20
"""Smallest memory limit that users can set, in bytes."""
MANY = 1024
"""Number of parts of a folder's keys; adjacent parts are processed together."""
MARKER, RUN = ".rebalance-explored", "explored.json"
SAYS = "States that rebalance-proofs explores: the same exploration continues with them."
NOBODYS = "lost+found"
"""Name of a folder that some file systems create in an empty mounted folder; it is ignored."""


class Exploration:
    """A running exploration: its levels, and the store that holds their states.

    A level contains the states that need the same number of moves. See ``explored``.
    """

    def __init__(self, product: Product, store: Store, memory: int, spark: "OnSpark | None", named: bool) -> None:
        self.product = product
        self.store = store
        """Store of the levels; complete ones can be read between steps of ``levels``, and afterwards."""
        self._memory = memory
        self._spark = spark
        self._known: list[Level] = [kept.level for kept in store.kept] if isinstance(store, Folder) else []
        self._temporary = ExitStack()
        self._named = named

    def levels(self, most: int | None = None) -> Iterator[Level]:
        """Yield all levels of states; the last level has no states.

        Levels that the folder already contains are read from it. With ``most``, yield at most that many levels; then
        the last one can have states. Raises ``UsageError`` if the disk is full, or if data read differ from data
        written. The levels before the error remain in the folder.
        """
        number = 0
        while most is None or number < most:
            if number == len(self._known):
                self._known.append(self._made(number))
            yield self._known[number]
            if not self._known[number].states:
                return
            number += 1

    def _made(self, number: int) -> Level:
        try:
            try:
                return self._next(number)
            except Full:
                self._to_files()
                return self._next(number)
        except OSError as error:
            self._discard()
            folder = self.store.shelf.folder if isinstance(self.store, Folder) else tempfile.gettempdir()
            raise UsageError(
                f"cannot store states in {str(folder)!r}: {error.strerror or error}; {self._kept()}"
            ) from error
        except UsageError as error:
            self._discard()
            raise UsageError(f"{error}; {self._kept()}") from error
        except BaseException:
            self._discard()
            raise

    def _next(self, number: int) -> Level:
        if not number:
            return started(self.product, self.store)
        if self._spark and isinstance(self.store, Folder):
            return self._spark.next_level(self.store, number)
        return next_level(self.product, self.store, number)

    def _discard(self) -> None:
        if isinstance(self.store, Folder):
            self.store.discard()

    def _kept(self) -> str:
        if not self._named or not isinstance(self.store, Folder):
            return "nothing is stored, because no folder was named for it"
        many = len(self.store.kept)
        if not many:
            return "no level was complete"
        before = "the level before is" if many == 1 else f"the {many} levels before are"
        return f"{before} stored there, and the same exploration continues with {'it' if many == 1 else 'them'}"

    def _to_files(self) -> None:
        """Move the exploration from memory into a temporary folder."""
        memory, made = self.store, self._known
        assert isinstance(memory, InMemory)
        folder = self._temporary.enter_context(tempfile.TemporaryDirectory(prefix="rebalance-explored-"))
        self.store = _folder(self.product, Path(folder), self._memory)
        for level, keys in zip(made, memory.handed_over(len(made)), strict=True):
            self.store.takes_over(level, np.sort(self.store.order.keys(memory.order.states(keys))))

    def close(self) -> None:
        """Remove the temporary folder, if there is one."""
        self._temporary.close()


@contextmanager
def explored(
    product: Product,
    settings: Mapping[str, Any],
    memory: int = MEMORY,
    folder: Path | None = None,
    spark: "SparkSession | None" = None,
) -> Iterator[Exploration]:
    """Explore the product of the members and queues of a group, in a ``with`` block.

    ``settings`` (JSON values) describe the source of the product. A folder is continued only if its settings and tables
    are the same. ``memory`` is the number of bytes that the exploration may use in addition. States stay in memory up
    to that limit, and then move to a temporary folder. If ``folder`` is given, it stores all levels, and complete
    levels are not computed again. With ``spark``, its executors work in the folder, which they all share, and each of
    their processes may use ``memory``.

    Raises ``UsageError`` if the folder belongs to another program or exploration, or is in use.
    """
    if memory < LEAST:
        raise UsageError(f"a memory limit of {memory:,} bytes is too small; give at least {LEAST:,}")
    named = folder is not None
    with ExitStack() as stack:
        if folder is None and spark:
            if not (spark.sparkContext.master or "").startswith("local"):
                raise UsageError("--master on several machines needs --states DIR, a folder that all of them share")
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rebalance-explored-")))
        if folder is None:
            piece = Sizes.of(memory, len(product.moves)).piece
            store: Store = in_memory(product.numbering, memory * 5 // 8, piece)
        else:
            with _keeping(folder):
                _take(stack, folder, product, settings)
                store = _folder(product, folder, memory)
        exploration = Exploration(product, store, memory, _on(spark, product) if spark else None, named)
        stack.callback(exploration.close)
        yield exploration


def _on(spark: "SparkSession", product: Product) -> "OnSpark":
    # PySpark takes long to import, and few explorations need it.
    from rebalance_proofs.spark_enum.explorer.on_spark import OnSpark

    return OnSpark(spark, product)


def _folder(product: Product, folder: Path, memory: int) -> Folder:
    return Folder(Shelf(folder, product.numbering.order(MANY), Sizes.of(memory, len(product.moves))))


def _take(stack: ExitStack, folder: Path, product: Product, settings: Mapping[str, Any]) -> None:
    """Mark and lock the folder, and write the description of its exploration.

    Raises ``UsageError`` or ``OSError``.
    """
    try:
        if marker.line(folder / MARKER) != SAYS and not _empty(folder):
            raise UsageError(
                f"{str(folder)!r} is not empty and not the folder of an exploration; name a new or empty folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        stack.enter_context(marker.held(folder / MARKER, SAYS))
        document = {
            "format": FORMAT,
            "model": product.model.name,
            "settings": json.loads(json.dumps(dict(settings))),
            "tables": tables_digest(product),
        }
        if not (folder / RUN).exists():
            write_json(folder / RUN, document | {"versions": _versions()})
            return
        said, _ = read_json(folder / RUN)
        for name, value in document.items():
            if said.get(name) != value:
                raise UsageError(_differs(folder, name, said.get(name), value))
    except marker.Busy as error:
        raise UsageError(
            f"{error} is exploring in {str(folder)!r}; wait until it has ended, or name another folder"
        ) from error


@contextmanager
def _keeping(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot store states in {str(folder)!r}: {error.strerror or error}") from error


def _differs(folder: Path, name: str, said: Any, value: Any) -> str:
    begin = f"{str(folder)!r} is the folder of another exploration"
    if name == "settings":
        names = sorted({*said, *value}) if isinstance(said, dict) else []
        told = (f"{one} {said.get(one)}, not {value.get(one)}" for one in names if said.get(one) != value.get(one))
        return f"{begin} ({'; '.join(told)}); name another folder"
    if name == "tables":
        return f"{begin}, which began with another version of the model; name another folder"
    return f"{begin} ({name} {said}, not {value}); name another folder"


def _empty(folder: Path) -> bool:
    return not folder.exists() or {path.name for path in folder.iterdir()} <= {MARKER, NOBODYS}


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in ("rebalance-proofs", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found
