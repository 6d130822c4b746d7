"""Types of option values, which reject meaningless values that click would accept."""

import re
from math import isnan
from os import PathLike
from pathlib import Path
from typing import Any, cast

import click

from rebalance_proofs.language import gettext, later, ngettext

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000}
"""Unit of a duration -> its length in ms."""
MOST = 3_600_000
"""Default maximum of a duration in ms. A longer one is probably a typing error."""
UNSET = later("leave out the option if you do not need it")
"""End of the error message for an empty value, as from an unset shell variable."""


class Folder(click.Path):
    """Option value: a folder that may or may not exist. An empty name is rejected.

    An unset shell variable gives an empty name. ``advice`` ends the error message, such as "name a new or empty
    folder".
    """

    name = "directory"

    def __init__(self, advice: str) -> None:
        super().__init__(path_type=Path)
        self._advice = advice

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path. ``click.Path`` would read an empty name as the current folder."""
        if not str(value).strip():
            self.fail(f"{value!r} is not a folder name; {self._advice}", param, ctx)
        return cast(Path, super().convert(value, param, ctx))


class Name(click.types.StringParamType):
    """Option value: a name. An empty name, as from an unset shell variable, is rejected."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name without surrounding spaces."""
        if not value.strip():
            self.fail(
                gettext("{value} is not a name; {advice}").format(value=repr(value), advice=gettext(UNSET)), param, ctx
            )
        return value.strip()


mode_option = click.option(
    "--mode",
    type=Name(),
    metavar="MODE",
    help=later(
        "Consumer mode: push, 'push orderly', pull or 'lite pull'; add the word broadcasting for that message model."
    ),
)
"""The option ``--mode``."""
strategy_option = click.option(
    "--strategy",
    type=Name(),
    metavar="NAME",
    help=later("Allocation strategy, by its short name or RocketMQ's name: hash, AVG_BY_CIRCLE."),
)
"""The option ``--strategy`` of questions about one strategy."""


class File(click.Path):
    """Option value: a file that may or may not exist. An empty name is rejected.

    ``advice`` ends the error message.
    """

    name = "file"

    def __init__(self, advice: str = UNSET, **more: bool) -> None:
        super().__init__(path_type=Path, **more)
        self._advice = advice

    def convert(self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path. ``click.Path`` would read an empty name as the current folder."""
        if not str(value).strip():
            self.fail(f"{value!r} is not a file name; {self._advice}", param, ctx)
        return cast(Path, super().convert(value, param, ctx))


class NumberOrFile(click.Path):
    """Option value: a whole number, or the path of a file."""

    name = "N|FILE"

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return an ``int`` or a ``Path``. An empty text is rejected."""
        if isinstance(value, str) and re.fullmatch(r"-?\d+", value.strip(), re.ASCII):
            return int(value)
        if not str(value).strip():
            self.fail(f"{value!r} is neither a number nor a file name", param, ctx)
        return super().convert(value, param, ctx)


class Master(click.ParamType):  # type: ignore[type-arg]  # classes of click before 8.5 cannot be subscripted
    """Option value: the URL of a Spark master. The connection is made later."""

    name = "URL"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the URL. An empty text is rejected, so that it does not select the default."""
        if not value.strip():
            self.fail(f"{value!r} is not a Spark master; leave out --master to run Spark on this machine", param, ctx)
        return value


class Whole(click.IntRange):
    """Option value: a whole number within a range."""

    name = "whole number"


class Seconds(click.FloatRange):
    """Option value: a time limit in seconds."""

    name = "number of seconds"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number. nan is rejected, which ``click.FloatRange`` accepts."""
        number = super().convert(value, param, ctx)  # type: ignore[arg-type]  # click passes the typed text
        if isnan(number):
            self.fail(f"{value!r} is not a number of seconds; write a number such as 20", param, ctx)
        return number


class Duration(click.types.StringParamType):
    """Option value: a duration with its unit, such as ``5s``; at most ``most`` ms."""

    name = "time"

    def __init__(self, most: int = MOST) -> None:
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the duration in ms of a text such as ``300ms``, ``5s``, ``1.5s`` or ``2m``."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", value.strip())
        if not found or (found[2] and found[2] not in UNITS):
            self.fail(
                gettext("{value} is not a time; write a number with its unit, such as 300ms, 5s or 2m").format(
                    value=repr(value)
                ),
                param,
                ctx,
            )
        if not found[2]:
            self.fail(
                gettext("{value} has no unit; write {number}s or {number}ms").format(
                    value=repr(value), number=value.strip()
                ),
                param,
                ctx,
            )
        time = float(found[1]) * UNITS[found[2]]
        if time > self._most:
            hours = round(self._most / UNITS["h"])
            limit = ngettext("an hour", "{number} hours", hours).format(number=hours)
            self.fail(
                gettext("{value} is too long; write a time of at most {limit}").format(value=repr(value), limit=limit),
                param,
                ctx,
            )
        return round(time)


class Rate(click.types.StringParamType):
    """Option value: a rate in messages per second."""

    name = "rate"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the messages per second of a text such as ``100/s`` or ``1.5/s``."""
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"(\d{1,9}(?:\.\d+)?)/s", value.strip())
        if not found:
            self.fail(f"{value!r} is not a rate; write messages per second, such as 100/s", param, ctx)
        return float(found[1])
