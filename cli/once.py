"""A command whose options are given once each, except for those that collect."""

from collections import Counter

import click

__all__ = ["Once"]


class Once(click.Command):
    """A command that refuses an option that is given twice: click would take the last, and say nothing of the first."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, after the options were counted."""
        _, _, order = self.make_parser(ctx).parse_args(list(args))
        for param, many in Counter(order).items():
            if many > 1 and isinstance(param, click.Option) and not param.multiple and not param.count:
                raise click.UsageError(f"{'/'.join(param.opts)} is given {many} times; it can be given once", ctx)
        return super().parse_args(ctx, args)
