"""Transport of totals from Spark's executors to the driver, as columns, not pickled objects."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from rebalance_proofs.spark_enum.results import Wrong
from rebalance_proofs.spark_enum.totals import Totals


def _named(kind: pa.DataType) -> pa.DataType:
    """Return an Arrow type for a mapping from names to values.

    It is a list of pairs, because Spark returns maps in another order.
    """
    return pa.list_(pa.struct({"name": pa.string(), "value": kind}.items()))


NUMBERS = pa.list_(pa.int64())
COUNTS = _named(pa.int64())
WRONG = pa.struct({"size": NUMBERS, "digits": NUMBERS, "sentence": pa.string()}.items())
COLUMNS = {
    "counted": pa.int64(),
    "digest": pa.string(),  # hexadecimal, because Spark has no unsigned integers
    "differing": pa.int64(),
    "first": WRONG,
    "broken": COUNTS,
    "smallest": _named(WRONG),
    "numbers": COUNTS,
    "kept": _named(NUMBERS),
    "seconds": pa.float64(),
}
"""The fields of ``Totals`` and their Arrow types, except the field ``parts``."""
TOTALS = pa.struct({"check": pa.int32(), "part": pa.string(), **COLUMNS}.items())
"""Arrow type of a row: the totals of a check, or of one of its parts."""


def to_rows(check: int, totals: Totals) -> list[dict[str, Any]]:
    """Return a piece's totals as rows of type ``TOTALS``; ``check`` is the number of its check."""
    return [
        {"check": check, "part": part, **{name: _column(getattr(found, name)) for name in COLUMNS}}
        | {"digest": f"{found.digest:x}"}
        for part, found in (("", totals), *totals.parts.items())
    ]


def from_row(row: Mapping[str, Any]) -> tuple[int, Totals]:
    """Return the number of the check, and the totals, from a row of type ``TOTALS``."""
    named = {
        name: {one["name"]: one["value"] for one in row[name]} for name in ("broken", "smallest", "numbers", "kept")
    }
    found = Totals(
        counted=row["counted"],
        digest=int(row["digest"], 16),
        differing=row["differing"],
        first=_wrong(row["first"]) if row["first"] else None,
        broken=Counter(named["broken"]),
        smallest={name: _wrong(case) for name, case in named["smallest"].items()},
        numbers=Counter(named["numbers"]),
        kept={name: tuple(numbers) for name, numbers in named["kept"].items()},
        seconds=row["seconds"],
    )
    return row["check"], Totals(parts={row["part"]: found}) if row["part"] else found


def _column(value: Any) -> Any:
    if isinstance(value, Wrong):
        return vars(value)
    if isinstance(value, Mapping):
        return [{"name": name, "value": _column(one)} for name, one in value.items()]
    return value


def _wrong(case: Mapping[str, Any]) -> Wrong:
    return Wrong(tuple(case["size"]), tuple(case["digits"]), case["sentence"])
