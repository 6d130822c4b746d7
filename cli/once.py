"""Rejection of options that are given twice, except for those that can be repeated."""

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext

import click

from rebalance_proofs.cli.translated import Translated, in_language
from rebalance_proofs.language import gettext


def require_once(command: click.Command, arguments: Sequence[str], ctx: click.Context) -> None:
    """Raise ``click.UsageError`` for an option that is given twice.

    Without this check, click would silently use the last value.
    """
    with in_language(arguments) if isinstance(command, Translated) else nullcontext():
        _, _, order = command.make_parser(ctx).parse_args(list(arguments))
        for param, many in Counter(order).items():
            if many > 1 and isinstance(param, click.Option) and not param.multiple and not param.count:
                said = gettext("{option} is given {number} times; give it once")
                raise click.UsageError(said.format(option="/".join(param.opts), number=many), ctx)
