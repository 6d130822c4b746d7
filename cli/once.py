"""Rejection of options that are given twice, except for those that can be repeated."""

from collections import Counter
from collections.abc import Sequence

import click

__all__ = ["require_once"]


def require_once(command: click.Command, arguments: Sequence[str], ctx: click.Context) -> None:
    """Raise ``click.UsageError`` for an option that is given twice.

    Without this check, click would silently use the last value.
    """
    _, _, order = command.make_parser(ctx).parse_args(list(arguments))
    for param, many in Counter(order).items():
        if many > 1 and isinstance(param, click.Option) and not param.multiple and not param.count:
            raise click.UsageError(f"{'/'.join(param.opts)} is given {many} times; give it once", ctx)
