"""The history of measurements, ``benchmarks/history.json``: records, tables and machines."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("history.json")


@dataclass(frozen=True)
class Measured:
    """One figure, without the day and the machine."""

    what: str
    """Subject of the measurement; records with the same subject form a series."""
    measured: str
    """The figure, in a few words."""
    goal: str = ""
    met: bool | None = None
    """Whether the goal is met; None without a goal, or if that was not judged."""
    detail: str = ""
    """More figures of the same measurement, and the conditions."""


@dataclass(frozen=True)
class Record(Measured):
    """One figure in the history."""

    date: str = ""
    machine: str = ""


@dataclass(frozen=True)
class Table:
    """A table of figures that belong together."""

    title: str
    note: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    date: str = ""
    machine: str = ""


@dataclass
class History:
    """All measurements, oldest first within a series."""

    machines: dict[str, str] = field(default_factory=dict)
    """Short name of a machine -> its processor, memory and versions."""
    records: list[Record] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    @classmethod
    def load(cls, file: Path = FILE) -> "History":
        """Read the file."""
        document = json.loads(file.read_text(encoding="utf-8"))
        return cls(
            document["machines"],
            [Record(**one) for one in document["records"]],
            [Table(**one) for one in document["tables"]],
        )

    def save(self, file: Path = FILE) -> None:
        """Write the file, with one record or row a line."""
        lists = {"records": [_line(_short(one)) for one in self.records], "tables": list(map(_table, self.tables))}
        parts = [f'"machines": {json.dumps(self.machines, indent=1, ensure_ascii=False)}']
        parts += [f'"{name}": [\n{_joined(lines)}\n]' for name, lines in lists.items()]
        file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")

    def newest(self, what: str) -> Record:
        """The last record of a series by date, then by place. Raises ``LookupError`` if there is none."""
        found = sorted((one for one in self.records if one.what == what), key=lambda one: one.date)
        if not found:
            raise LookupError(f"no measurement of {what!r}")
        return found[-1]

    def newest_table(self, title: str) -> Table:
        """The last table with that title. Raises ``LookupError`` if there is none."""
        found = sorted((one for one in self.tables if one.title == title), key=lambda one: one.date)
        if not found:
            raise LookupError(f"no table {title!r}")
        return found[-1]

    def append(self, figures: Iterable[Measured], tables: Iterable[Table], date: str, machine: str) -> None:
        """Add what was measured on one day and machine."""
        self.records += [Record(**asdict(one), date=date, machine=machine) for one in figures]
        self.tables += [Table(one.title, one.note, one.columns, one.rows, date=date, machine=machine) for one in tables]

    def machine(self, short: str, described: str) -> str:
        """The name of the machine with that description; a new name that begins with ``short`` if it is not known."""
        for name, known in self.machines.items():
            if known == described:
                return name
        name, number = short, 2
        while name in self.machines:
            name, number = f"{short} {number}", number + 1
        self.machines[name] = described
        return name


def _short(one: Record) -> dict[str, Any]:
    return {name: value for name, value in asdict(one).items() if value not in ("", None)}


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _joined(lines: Iterable[str]) -> str:
    return ",\n".join(lines)


def _table(one: Table) -> str:
    head = {name: value for name, value in asdict(one).items() if name != "rows"}
    rows = _joined(f"  {_line(list(row))}" for row in one.rows)
    return f'{_line(head)[:-1]}, "rows": [\n{rows}\n ]}}'
