"""A command whose help and answers are in English or Chinese, as ``--lang`` or the locale says."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import click

from rebalance_proofs.language import LANGUAGES, chosen, gettext, language, later, use
from rebalance_proofs.recorded.knowledge.messages import paragraphs

OPTION = "--lang"
EXTRA = "Got unexpected extra argument"
"""Begin of click's message about arguments that a command does not take."""
SHOWN = later("Show this message and exit.")
"""The help text of ``--help``, as click has it."""
DEBUG = later("Print the stack trace of an error.")
"""The help text of ``--debug``."""

lang_option: Callable[[Any], Any] = click.option(
    OPTION,
    "lang",
    type=click.Choice(LANGUAGES),
    expose_value=False,
    help=later(
        "Language of the answer: English or Chinese. By default, the locale decides. JSON is always in English."
    ),
)
"""The option ``--lang``. ``Translated`` reads it before the other options, so that their help is in the language."""


class Translated(click.Command):
    """A command with ``--lang``, whose help texts are messages."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the language until the command ends, and parse the arguments."""
        with in_language(args):
            rest = super().parse_args(ctx, args[:])
        before = language()
        use(_wanted(args))
        ctx.call_on_close(lambda: use(before))
        return rest

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage line."""
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), gettext("Usage: "))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(gettext(one) for one in paragraphs(self.help or "")))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options."""
        rows = []
        for param in self.get_params(ctx):
            with _translated(param):
                row = param.get_help_record(ctx)
            if row:
                rows.append(row)
        with formatter.section(gettext("Options")):
            formatter.write_dl(rows)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the exit statuses."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n".join(_line(one) for one in (self.epilog or "").splitlines()))


@contextmanager
def in_language(args: Sequence[str]) -> Iterator[None]:
    """Use the language that the arguments of a command or the locale name meanwhile, for click's errors, too."""
    before = language()
    use(_wanted(args))
    try:
        yield
    except click.UsageError as error:
        raise (error if language() == LANGUAGES[0] else _said(error)) from None
    finally:
        use(before)


def _wanted(args: Sequence[str]) -> str:
    return _named(args) or chosen()


def _said(error: click.UsageError) -> click.UsageError:
    """Return the error with a message in the language in use; click's own messages are in English."""
    match error:
        case click.NoSuchOption():
            said = gettext("unknown option {option}").format(option=error.option_name)
        case click.BadParameter(param=click.Option(type=click.Choice() as choice) as param):
            said = gettext("{option} does not take this value; the values are {values}").format(
                option=param.opts[0], values=gettext(", ").join(map(str, choice.choices))
            )
        case click.BadParameter(param=click.Parameter() as param):
            said = gettext("{option}: {reason}").format(option=param.opts[0], reason=error.message)
        case click.BadOptionUsage():
            said = gettext("the value of {option} is missing, or the option takes none").format(
                option=error.option_name
            )
        case click.UsageError(message=message) if not message.startswith(EXTRA):
            return error
        case _:
            said = gettext("there are too many arguments; put the text in quotes")
    return click.UsageError(said, error.ctx)


def _named(args: Sequence[str]) -> str:
    """Return the language that the arguments name; empty if they name none."""
    for place, one in enumerate(args):
        if one == "--":
            break
        name, equals, value = one.partition("=")
        if name == OPTION:
            value = value if equals else "".join(args[place + 1 : place + 2])
            return value if value in LANGUAGES else ""
    return ""


@contextmanager
def _translated(param: click.Parameter) -> Iterator[None]:
    """Translate the help text of an option meanwhile."""
    text = getattr(param, "help", None)
    if not isinstance(param, click.Option) or not text:
        yield
        return
    param.help = gettext(text)
    try:
        yield
    finally:
        param.help = text


def _line(line: str) -> str:
    """Return a line of the epilog with its text translated: ``  0    the command printed its answer``."""
    start = len(line) - len(line.lstrip(" 0123456789"))
    return line[:start] + (gettext(line[start:]) if line[start:].strip("\b") else line[start:])


# Rejection of options that are given twice, except for those that can be repeated.


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
