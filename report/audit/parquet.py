"""Write queue ownership and findings of an audit as Parquet files."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from rebalance_proofs.report.audit.answer import Answer
from rebalance_proofs.report.own.output import OutputError

OWNERS = pa.schema(
    [
        ("group", pa.string()),
        ("client", pa.string()),
        ("log", pa.string()),
        ("topic", pa.string()),
        ("broker", pa.string()),
        ("queue", pa.int32()),
        ("from", pa.timestamp("ms", "UTC")),
        ("to", pa.timestamp("ms", "UTC")),
        ("from_logged", pa.bool_()),
        ("to_logged", pa.bool_()),
    ]
)
FINDINGS = pa.schema(
    [
        ("group", pa.string()),
        ("what", pa.string()),
        ("level", pa.string()),
        ("topic", pa.string()),
        ("broker", pa.string()),
        ("queue", pa.int32()),
        ("from", pa.timestamp("ms", "UTC")),
        ("to", pa.timestamp("ms", "UTC")),
        ("members", pa.list_(pa.string())),
        ("detail", pa.string()),
        ("causes", pa.list_(pa.string())),
        ("evidence", pa.list_(pa.string())),
    ]
)


def write_tables(answer: Answer, folder: Path) -> list[Path]:
    """Write owners.parquet (a row for each ownership) and findings.parquet (a row for each queue).

    Return the paths. Raises ``OutputError``.
    """
    owners = [
        (group.name, *span.member, *span.queue, span.begin, span.end, span.begins, span.ends)
        for group in answer.audited.groups
        for span in group.spans
    ]
    findings = [
        (
            group.name,
            str(one.what),
            str(one.level),
            one.topic,
            *((each.queue[1], each.queue[2]) if each.queue else (None, None)),
            each.at,
            each.until,
            list(one.members),
            one.detail,
            list(one.causes),
            [f"{file}:{line}" for file, line in one.evidence],
        )
        for group in answer.audited.groups
        for one in group.findings
        for each in one.intervals
    ]
    return [
        _write(folder / "owners.parquet", OWNERS, owners),
        _write(folder / "findings.parquet", FINDINGS, findings),
    ]


def _utf8(cell: object) -> object:
    """Return the cell with bytes of file names that are not UTF-8 escaped; names in the C locale consist of bytes."""
    if isinstance(cell, list):
        return [_utf8(one) for one in cell]
    return (
        cell.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace") if isinstance(cell, str) else cell
    )


def _write(path: Path, schema: pa.Schema, rows: Sequence[tuple[object, ...]]) -> Path:
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(list(map(_utf8, column)), field.type) for column, field in zip(columns, schema, strict=True)]
    try:
        pq.write_table(pa.table(arrays, schema=schema), path)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    return path
