"""The table of all commands, and the click group that imports a command when it is called."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module

import click

from rebalance_proofs.cli.translated import require_once
from rebalance_proofs.cli.width import Fitting


@dataclass(frozen=True)
class Place:
    """The module and function of a command, and its line in the list of commands."""

    module: str
    """Name of the module in the package ``cli``."""
    function: str
    """Name of the click command in that module."""
    topic: str
    """Heading in the list of commands."""
    line: str
    """Summary of the command: one sentence of at most 64 characters."""

    def command(self) -> click.Command:
        """Import the command's module, and return the command."""
        found = getattr(import_module(f"rebalance_proofs.cli.{self.module}"), self.function)
        assert isinstance(found, click.Command)
        found.context_class = Fitting
        return found


OPERATORS = "Commands for operators of consumer groups"
AUTHORS = "Commands for authors of strategies and clients"
PROOFS = "Commands for claims and proofs"
HELP = "Help"
TOPICS = (OPERATORS, AUTHORS, PROOFS, HELP)
"""Headings in the list of commands, in order."""
COMMANDS: Mapping[str, Place] = {
    "audit": Place("audit", "audit_", OPERATORS, "Reconstruct queue ownership from client and broker logs."),
    "certify": Place("certify", "certify", PROOFS, "Check cvc5's proofs of claims, without a solver."),
    "check": Place("check", "check", AUTHORS, "Check your own allocation strategy, in Python or Java."),
    "conform": Place("conform", "conform", AUTHORS, "Compare the model with recordings, or with released clients."),
    "enumerate": Place(
        "enumerate_", "enumerate_", PROOFS, "Run the modelled client code on every small group, with Spark."
    ),
    "explore": Place("explore", "explore_", AUTHORS, "Visit all states of a small consumer group."),
    "export-test": Place("export_test", "export_test", AUTHORS, "Write a counterexample as a test of the real client."),
    "help": Place("help_", "help_", HELP, "Show the help of a command."),
    "list": Place("list_", "list_", PROOFS, "List claims, or those that apply to your client."),
    "moves": Place("moves", "moves_", OPERATORS, "Count the queues that change owners when a group changes."),
    "new-kind": Place("new_kind", "new_kind", PROOFS, "Write the page of a new machine, with an example that proves."),
    "prove": Place("prove", "prove", PROOFS, "Prove or refute claims with Z3 and cvc5."),
    "record": Place("record", "record", OPERATORS, "Run scenarios on your own RocketMQ, and check what happens."),
    "replay": Place("replay", "replay", PROOFS, "Step through a counterexample or a trace file."),
    "safe": Place("safe", "safe", OPERATORS, "Check whether your timeouts keep ordered consumption exclusive."),
    "settle": Place("settle", "settle", OPERATORS, "Compute the longest time until every queue is consumed again."),
    "shares": Place("shares", "shares", OPERATORS, "Show which consumer takes which queues."),
    "show": Place("show", "show", PROOFS, "Explain one claim, with its proof or counterexample."),
    "verify": Place("verify", "verify", PROOFS, "Judge claims with solvers, enumeration and recordings."),
    "why": Place("why", "why", OPERATORS, "List likely causes of a symptom, and fixes."),
}
"""All commands by their names, in alphabetical order."""


class Commands(click.Group):
    """The click group of all commands in the table.

    Only the command that is called is imported, because the libraries of the other commands take long to load.
    """

    context_class = Fitting

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with that name; None if the name is unknown.

        The option ``--debug`` is added to each command.
        """
        if cmd_name not in COMMANDS:
            return None
        command = COMMANDS[cmd_name].command()
        if debug_option not in command.params:
            command.params.append(debug_option)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. ``--debug`` alone prints the help, like a call without arguments."""
        return super().parse_args(ctx, [] if set(args) == set(debug_option.opts) else args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the called command. Fail if the command is unknown, or if an option is given twice."""
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            ctx.fail(unknown(args[0]))
        name, command, rest = super().resolve_command(ctx, args)
        if command and not ctx.resilient_parsing:
            require_once(command, rest, command.context_class(command, ctx, name))
        return name, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, under one heading for each kind of user."""
        longest = max(map(len, COMMANDS))
        for topic in TOPICS:
            with formatter.section(topic):
                formatter.write_dl(
                    [(f"{name:{longest}}", at.line) for name, at in COMMANDS.items() if at.topic == topic]
                )


def unknown(name: str) -> str:
    """Return the error message for an unknown command name, with the most similar command."""
    near = get_close_matches(name, COMMANDS, cutoff=0.5)
    return f"unknown command {name!r}; " + (
        f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}"
    )


debug_option = click.Option(["--debug"], is_flag=True, expose_value=False, help="Print the stack trace of an error.")
"""The option ``--debug`` of every command; ``cli.main`` looks for it among the arguments."""
