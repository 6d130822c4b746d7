"""Content of ``commands.json``, and click commands that are built from it to complete options."""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import click

from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.cli.completion.values import VALUES, kind_of

FILE = "commands.json"
"""Name of the file in the folder of this module."""


def described(whole: click.Group) -> dict[str, list[dict[str, Any]]]:
    """Return the parameters of every command, and under the name "" those of the group.

    This imports all commands.
    """
    context = whole.make_context("rebalance", [], resilient_parsing=True)
    found = {"": [_described("", param) for param in whole.get_params(context)]}
    for name in whole.list_commands(context):
        command = whole.get_command(context, name)
        assert command
        found[name] = [_described(name, param) for param in command.get_params(click.Context(command, context, name))]
    return found


def text(document: Mapping[str, Any]) -> str:
    """Return the text of ``commands.json``, with one line for each parameter."""
    commands = (
        f"{json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in params) + "\n]"
        for name, params in document.items()
    )
    return "{\n" + ",\n".join(commands) + "\n}\n"


def _described(command: str, param: click.Parameter) -> dict[str, Any]:
    name = "help" if "--help" in param.opts else param.name  # click's name of that option differs between versions
    found: dict[str, Any] = {"name": name, "values": kind_of(command, param), "nargs": param.nargs}
    if isinstance(param, click.Option):
        found["options"] = [*param.opts, *param.secondary_opts]
        found["flag"], found["multiple"] = param.is_flag, param.multiple
        found["help"] = _first_sentence(param.help or "")
    return found


def _first_sentence(help_: str) -> str:
    return " ".join(re.split(r"(?<=[.;:])\s|\s+\[default", help_, maxsplit=1)[0].split()).rstrip(".;:")


def group() -> click.Group:
    """Return the group of all commands with their options, but without functions.

    This imports only click.
    """
    document = json.loads(files("rebalance_proofs.cli.completion").joinpath(FILE).read_text(encoding="utf-8"))
    commands = {
        name: click.Command(name, params=[*_params(name, document[name])], short_help=place.line, add_help_option=False)
        for name, place in COMMANDS.items()
    }
    return click.Group("rebalance", commands=commands, params=[*_params("", document[""])], add_help_option=False)


def _params(command: str, described: list[dict[str, Any]]) -> list[click.Parameter]:
    return [_param(command, one) for one in described]


def _param(command: str, one: Mapping[str, Any]) -> click.Parameter:
    type_ = _type(command, one)
    if "options" not in one:
        return click.Argument([one["name"]], type=type_, nargs=one["nargs"], required=False)
    if one["flag"]:
        return click.Option([one["name"], *one["options"]], is_flag=True, multiple=one["multiple"], help=one["help"])
    return click.Option([one["name"], *one["options"]], type=type_, multiple=one["multiple"], help=one["help"])


def _type(command: str, one: Mapping[str, Any]) -> Any:
    match one["values"]:
        case "names":
            return VALUES[command, one["name"]]
        case "file":
            return click.Path()
        case "dir":
            return click.Path(file_okay=False)
        case list(choices):
            return click.Choice(choices)
        case _:
            return click.STRING
