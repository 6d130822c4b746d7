"""Types of the options of ``rebalance audit``."""

import re
from typing import Any

import click

from rebalance_proofs.cli.params import Duration
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.logs.times import DAY
from rebalance_proofs.report.symptoms.asked import nearest

__all__ = ["Allowed", "Kinds", "Shift", "When", "Zone"]

HOURS = 12 * 3_600_000
"""ms beyond which a clock that is off is taken for a typing error."""


class Zone(click.types.StringParamType):
    """A zone, of all files or of one: ``+08:00``, ``c0.log=+08:00``."""

    name = "[FILE=]ZONE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """(file or "", ms ahead of UTC)."""
        if isinstance(value, tuple):
            return value
        file, sign, text = value.rpartition("=")
        if text.strip().upper() in ("Z", "UTC", "GMT"):
            return file, 0
        found = re.fullmatch(r"(?:GMT|UTC)?([+-])(\d{1,2})(?::?([0-5]\d))?", text.strip(), re.ASCII | re.I)
        if not found or (sign and not file) or int(found[2]) > 14:
            self.fail(f"{value!r} is no zone; write it like +08:00, UTC or FILE=+08:00", param, ctx)
        ms = (int(found[2]) * 60 + int(found[3] or 0)) * 60_000
        return file, -ms if found[1] == "-" else ms


class Shift(click.types.StringParamType):
    """A file's clock: ``c0.log=+1.2s``."""

    name = "FILE=TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """(file, ms by which its clock is ahead)."""
        if isinstance(value, tuple):
            return value
        file, _, text = value.rpartition("=")
        found = re.fullmatch(r"([+-]?)(\d.*)", text.strip())
        if not file or not found:
            self.fail(f"{value!r} is no clock; write it like c0.log=+1.2s, for one that is ahead", param, ctx)
        ms = Duration(HOURS).convert(found[2], param, ctx)
        return file, -ms if found[1] == "-" else ms


class When(click.types.StringParamType):
    """A time as the answer shows it: ``2026-11-23 19:17``, or a time of day."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text, with a space between date and time of day."""
        text = " ".join(value.split()).replace("T", " ")
        if not re.fullmatch(r"(\d{4}-\d\d-\d\d )?\d\d:\d\d(:\d\d(\.\d{1,3})?)?|\d{4}-\d\d-\d\d", text, re.ASCII):
            self.fail(f"{value!r} is no time; write it like '2026-11-23 19:17:30' or 19:17", param, ctx)
        return text


class Kinds(click.types.StringParamType):
    """Kinds of findings: ``two,nobody``."""

    name = "KINDS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The kinds."""
        if isinstance(value, tuple):
            return value
        names = [part.strip() for part in value.split(",") if part.strip()]
        if names == ["none"]:
            return ()
        for name in names:
            _kind(name, self, param, ctx)
        if not names:
            self.fail(f"{value!r} names nothing; there are {', '.join(What)}, and none", param, ctx)
        return tuple(What(name) for name in names)


class Allowed(click.types.StringParamType):
    """What is allowed for a time: ``two=30s``."""

    name = "KIND=TIME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """(kind, ms)."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if not equals:
            self.fail(f"{value!r} allows nothing; write it like two=30s", param, ctx)
        return _kind(name.strip(), self, param, ctx), Duration(7 * DAY).convert(text, param, ctx)


def _kind(name: str, type_: click.types.StringParamType, param: Any, ctx: Any) -> What:
    if name not in list(What):
        type_.fail(
            f"{name!r} is no kind of finding; {nearest(name, map(str, What))}there are {', '.join(What)}", param, ctx
        )
    return What(name)
