"""The table of commands, each with what it does, and a group that imports a command when it is called."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

import click

from rebalance_proofs.cli.once import require_once
from rebalance_proofs.cli.width import Fitting

__all__ = ["COMMANDS", "Commands", "Place", "debug_option", "unknown"]


@dataclass(frozen=True)
class Place:
    """Where a command is, and its line in the list of commands."""

    module: str
    """Module of this package."""
    function: str
    line: str

    def command(self) -> click.Command:
        """The command; its module is imported now."""
        found = getattr(import_module(f"rebalance_proofs.cli.{self.module}"), self.function)
        assert isinstance(found, click.Command)
        found.context_class = Fitting
        return found


COMMANDS: Mapping[str, Place] = {
    "audit": Place("audit", "audit_", "Tell what a group's own logs say."),
    "check": Place("check", "check", "Check an allocation strategy of your own."),
    "conform": Place("conform", "conform", "Compare the model with recorded results, or with a client's jar."),
    "enumerate": Place("enumerate_", "enumerate_", "Run the strategies and clients on every small group, on Spark."),
    "explore": Place("explore", "explore_", "Go through all states of a small group."),
    "help": Place("help_", "help_", "Show this, or what a command takes."),
    "list": Place("list_", "list_", "Show the claims, or those about your client."),
    "moves": Place("moves", "moves_", "Tell how many queues change hands when a consumer comes or goes."),
    "prove": Place("prove", "prove", "Put claims to the solvers."),
    "record": Place("record", "record", "Perform scenarios with your own RocketMQ, and tell what is seen."),
    "replay": Place("replay", "replay", "Go through a counterexample step by step."),
    "safe": Place("safe", "safe", "Tell whether two consumers can work on one ordered queue."),
    "settle": Place("settle", "settle", "Tell how long it takes until every queue is consumed again."),
    "show": Place("show", "show", "Show one claim, with its proof or counterexample."),
    "verify": Place("verify", "verify", "Judge claims by every witness, and write the report."),
    "why": Place("why", "why", "Tell what can be behind a symptom, and what helps."),
}
"""The commands by their names."""


class Commands(click.Group):
    """A group of the commands in the table.

    Only the command that is called is imported, so that an answer does not wait for the libraries of the others.
    """

    context_class = Fitting

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, which takes the group's ``--debug`` too; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        command = COMMANDS[cmd_name].command()
        if debug_option not in command.params:
            command.params.append(debug_option)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; ``--debug`` alone is as little of a call as nothing."""
        return super().parse_args(ctx, [] if set(args) == set(debug_option.opts) else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The called command, whose options are given once; an unknown one fails with the name that it may be meant to
        be."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            ctx.fail(unknown(args[0]))
        name, command, rest = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            require_once(command, rest, command.context_class(command, ctx, name))
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.line) for name, place in COMMANDS.items()])


def unknown(name: str) -> str:
    """A sentence about a name that no command has."""
    near = get_close_matches(name, COMMANDS, cutoff=0.5)
    return f"there is no command {name!r}; " + (
        f"did you mean {near[0]!r}?" if near else f"there are {', '.join(COMMANDS)}"
    )


debug_option = click.Option(["--debug"], is_flag=True, expose_value=False, help="Show the stack trace of an error.")
"""The option ``--debug``, of every command; ``cli.main`` looks for it among the arguments."""
