"""What each command takes: its arguments and options, their kinds, ranges and defaults."""

from collections.abc import Iterator

import click

from rebalance_proofs.cli.commands import COMMANDS, debug_option

RANGE = ("min", "max", "_most", "dir_okay", "allow_dash")
"""What is told of a kind of value, where it has it: from where to where it goes, and of a path what may be there."""
WHERE_SO = ("required", "multiple", "is_flag", "show_default")


def options() -> Iterator[str]:
    """A line an option, command by command."""
    for name, place in COMMANDS.items():
        for param in place.command().params:
            if param is not debug_option:
                yield f"{name} {'/'.join((*param.opts, *param.secondary_opts))}: {', '.join(_told(param))}"


def _told(param: click.Parameter) -> Iterator[str]:
    yield type(param.type).__name__
    yield from (
        f"{what.strip('_')} {value}" for what in RANGE if (value := getattr(param.type, what, None)) is not None
    )
    yield from (str(choice) for choice in getattr(param.type, "choices", ()))
    yield from (f"{what} {value}" for what in WHERE_SO if (value := getattr(param, what, None)))
    default = param.to_info_dict()["default"]
    if default is not None and default is not False:
        yield f"default {'cores' if getattr(param, 'show_default', None) == 'cores' else default}"
