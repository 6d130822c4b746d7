"""Types of option values of ``rebalance audit``."""

import re
from typing import Any

import click

from rebalance_proofs.cli.params import Duration
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.logs.times import DAY
from rebalance_proofs.report.audit.read import kind, moment

HOURS = 12 * 3_600_000
"""Largest clock error of a file in ms. A larger one is probably a typing error."""


class Zone(click.types.StringParamType):
    """Option value: the time zone of all files or of one file: ``+08:00``, ``c0.log=+08:00``."""

    name = "[FILE=]ZONE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return (file, or "" for all files; zone in ms ahead of UTC)."""
        if isinstance(value, tuple):
            return value
        file, sign, text = value.rpartition("=")
        if text.strip().upper() in ("Z", "UTC", "GMT"):
            return file, 0
        found = re.fullmatch(r"(?:GMT|UTC)?([+-])(\d{1,2})(?::?([0-5]\d))?", text.strip(), re.ASCII | re.I)
        if not found or (sign and not file) or int(found[2]) > 14:
            self.fail(f"{value!r} is not a time zone; write it like +08:00, UTC or FILE=+08:00", param, ctx)
        ms = (int(found[2]) * 60 + int(found[3] or 0)) * 60_000
        return file, -ms if found[1] == "-" else ms


class Shift(click.types.StringParamType):
    """Option value: the clock error of a file, such as ``c0.log=+1.2s``."""

    name = "FILE=TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return (file, time in ms by which its clock is ahead)."""
        if isinstance(value, tuple):
            return value
        file, _, text = value.rpartition("=")
        found = re.fullmatch(r"([+-]?)(\d.*)", text.strip())
        if not file or not found:
            self.fail(f"{value!r} is not a clock error; write FILE=TIME, such as c0.log=+1.2s", param, ctx)
        ms = Duration(HOURS).convert(found[2], param, ctx)
        return file, -ms if found[1] == "-" else ms


class When(click.types.StringParamType):
    """Option value: a date, a time of day, or both, such as ``2026-11-23 19:17``."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text, with a space between date and time of day."""
        try:
            return moment(value)
        except UsageError as error:
            self.fail(str(error), param, ctx)


class Kinds(click.types.StringParamType):
    """Option value: kinds of findings, separated by commas, such as ``two,nobody``; or ``none``."""

    name = "KINDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the kinds of findings; empty for ``none``."""
        if isinstance(value, tuple):
            return value
        names = [part.strip() for part in value.split(",") if part.strip()]
        if names == ["none"]:
            return ()
        for name in names:
            _kind(name, self, param, ctx)
        if not names:
            self.fail(f"{value!r} names no finding; write none, or some of {', '.join(What)}", param, ctx)
        return tuple(What(name) for name in names)


class Allowed(click.types.StringParamType):
    """Option value: a kind of finding, and the duration up to which it is accepted: ``two=30s``."""

    name = "KIND=TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return (kind of finding, accepted duration in ms)."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not equals:
            self.fail(f"{value!r} has no time; write KIND=TIME, such as two=30s", param, ctx)
        return _kind(name.strip(), self, param, ctx), Duration(7 * DAY).convert(text, param, ctx)


def _kind(name: str, type_: click.types.StringParamType, param: Any, ctx: Any) -> What:
    try:
        return kind(name)
    except UsageError as error:
        type_.fail(str(error), param, ctx)
