"""Types of option values that reject what click would accept although it means nothing."""

import re
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any, cast

import click

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000}
MOST = 3_600_000
"""Longest duration in ms; more is taken for a typing error."""


class Folder(click.Path):
    """A folder, whether it exists or not. Empty names are rejected: they come from unset shell variables."""

    name = "directory"

    def __init__(self, advice: str) -> None:
        super().__init__(path_type=Path)
        self._advice = advice

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path; unlike ``click.Path``, an empty name is not the current folder."""
        if not str(value).strip():
            self.fail(f"{value!r} names no folder; {self._advice}", param, ctx)
        return cast(Path, super().convert(value, param, ctx))


class Name(click.types.StringParamType):
    """A name that is not empty; empty ones come from unset shell variables."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name without surrounding spaces."""
        if not value.strip():
            self.fail(f"{value!r} is no name; leave the option out where none is meant", param, ctx)
        return value.strip()


class File(click.Path):
    """A file, whether it exists or not; its content is checked later. Empty names are rejected, as of folders."""

    name = "file"

    def __init__(self, advice: str = "leave the option out where none is meant", **more: bool) -> None:
        super().__init__(path_type=Path, **more)
        self._advice = advice

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path; unlike ``click.Path``, an empty name is not the current folder."""
        if not str(value).strip():
            self.fail(f"{value!r} names no file; {self._advice}", param, ctx)
        return cast(Path, super().convert(value, param, ctx))


class Master(click.ParamType):  # type: ignore[type-arg]  # classes of click before 8.5 cannot be subscripted
    """A Spark master, which is contacted later."""

    name = "URL"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The same text; an empty one is rejected, and does not stand for the default."""
        if not value.strip():
            self.fail(f"{value!r} names no master; without --master, Spark runs on this machine", param, ctx)
        return value


class Whole(click.IntRange):
    """A whole number within a range."""

    name = "whole number"


class Seconds(click.FloatRange):
    """A time limit in seconds."""

    name = "number of seconds"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number; unlike ``click.FloatRange``, nan is rejected."""
        number = super().convert(value, param, ctx)  # type: ignore[arg-type]  # click passes the typed text
        if isnan(number):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return number


class Duration(click.IntRange):
    """A duration with its unit, converted to ms."""

    name = "time"

    def __init__(self, most: int = MOST) -> None:
        super().__init__(min=0)
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Duration in ms: ``300ms``, ``5s``, ``1.5s``, ``2m``."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", value.strip())
        if not found or (found[2] and found[2] not in UNITS):
            self.fail(f"{value!r} is no time; write it like 300ms, 5s or 2m", param, ctx)
        if not found[2]:
            self.fail(f"{value!r} has no unit; write {value.strip()}s or {value.strip()}ms", param, ctx)
        time = float(found[1]) * UNITS[found[2]]
        if time > self._most:
            hours = round(self._most / UNITS["h"])
            self.fail(f"{value!r} is more than {'an hour' if hours == 1 else f'{hours} hours'}", param, ctx)
        return round(time)


class Rate(click.FloatRange):
    """A rate in messages a second."""

    name = "rate"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The rate: ``100/s``, ``1.5/s``."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"(\d{1,9}(?:\.\d+)?)/s", value.strip())
        if not found:
            self.fail(f"{value!r} is no rate; write it like 100/s", param, ctx)
        return float(found[1])
