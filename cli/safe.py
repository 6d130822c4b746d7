"""``rebalance safe``: the condition of time under which ordered consumption is safe."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.params import Duration
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.machine.values import Int, number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.model.releases import UnknownRelease
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ordered.safe import safe as decide
from rebalance_proofs.report.english import seconds
from rebalance_proofs.report.ordered import pauses as paused
from rebalance_proofs.report.ordered.safe import document, table, told

TIME = Duration()
OPTIONS = {"client": "--lock-max-live", "renewal": "--renewal"}
"""Option by name of a limit, for limits that are constants in some client."""


Command = Callable[..., Any]


def _limit(name: str, limit: Int, words: str) -> Callable[[Command], Command]:
    default = number(limit)
    return click.option(name, type=TIME, default=default, show_default=f"{default / 1000:g}s", help=words)


@click.command(
    epilog="Exit status: 0 when the condition of time holds for every client, 1 when not, 2 when the call is wrong.",
)
@click.option("--client", "clients", multiple=True, help="A version: 5.2, 4.9.8, go. More than one for a mixed group.")
@_limit("--listener", DEFAULTS.listener, "The longest time a listener takes for a batch, hooks and waits included.")
@_limit(
    "--delay",
    DEFAULTS.delay,
    "The longest time from a grant of the broker to its time stamp, pauses and offset queries included.",
)
@_limit("--lock-max-live", DEFAULTS.client, "rocketmq.client.rebalance.lockMaxLiveTime.")
@_limit("--broker-lock", DEFAULTS.broker, "rocketmq.broker.rebalance.lockMaxLiveTime.")
@_limit("--unlock-delay", DEFAULTS.unlock, "rocketmq.client.unlockDelayTimeMills.")
@_limit(
    "--renewal", DEFAULTS.renewal, "rocketmq.client.rebalance.lockInterval; renewals that are in time are that fast."
)
@_limit("--shutdown-wait", DEFAULTS.wait, "awaitTerminationMillisWhenShutdown of the consumers.")
@_limit("--continuously", DEFAULTS.loop, "rocketmq.client.maxTimeConsumeContinuously.")
@click.option("--table", "as_table", is_flag=True, help="The longest safe listener of every client.")
@click.option("--pauses", is_flag=True, help="How long a queue can pause when it changes hands, as shipped.")
@click.option("--json", "as_json", is_flag=True, help="For tools; times in ms.")
def safe(
    clients: tuple[str, ...],
    listener: int,
    delay: int,
    lock_max_live: int,
    broker_lock: int,
    unlock_delay: int,
    renewal: int,
    shutdown_wait: int,
    continuously: int,
    as_table: bool,
    pauses: bool,
    as_json: bool,
) -> int:
    """Tell whether two consumers can work on one ordered queue, how, and which setting helps.

    \b
    Example:
      rebalance safe --client 5.2 --listener 5s
      rebalance safe --table
    """
    limits = replace(
        DEFAULTS,
        delay=delay,
        client=lock_max_live,
        broker=broker_lock,
        listener=listener,
        unlock=unlock_delay,
        renewal=renewal,
        wait=shutdown_wait,
        loop=continuously,
    )
    for name, value in (("--lock-max-live", lock_max_live), ("--broker-lock", broker_lock), ("--renewal", renewal)):
        if value == 0:
            raise UsageError(f"{name} is 0: no lock would ever be held")
    if as_table + pauses + as_json > 1:
        raise UsageError("one of --table, --pauses and --json at a time")
    if pauses and (clients or limits != DEFAULTS):
        raise UsageError("--pauses is told of all clients with the settings as shipped; it takes no other option")
    if as_table and clients:
        raise UsageError("--table is of every client; it takes no --client")
    with Reporter() as reporter:
        if pauses:
            for line in paused.told():
                reporter.line(line)
            return 0
        if as_table:
            for line in table(limits):
                reporter.line(line)
            return 0
        chosen = _chosen(clients)
        _refuse_constants(chosen, limits)
        answers = [decide(client, limits) for client in chosen]
        lines = encoded(document(answers)).splitlines() if as_json else [*told(answers), *_warnings(limits)]
        for line in lines:
            reporter.line(line)
    return 0 if all(answer.proved for answer in answers) else 1


def _chosen(names: tuple[str, ...]) -> list[OrderedClient]:
    if not names:
        raise UsageError("name a client: --client 5.2, --client go; or --table for all")
    try:
        return list(dict.fromkeys(map(of_version, names)))
    except UnknownRelease as error:
        raise UsageError(str(error)) from None


def _refuse_constants(clients: list[OrderedClient], limits: Limits) -> None:
    for client in clients:
        for name in client.rules.constants:
            shipped = getattr(DEFAULTS, name)
            if getattr(limits, name) != shipped:
                raise UsageError(
                    f"{OPTIONS[name]} changes nothing for {client.rocketmq_name}: it has a constant of "
                    f"{seconds(shipped)}"
                )


def _warnings(limits: Limits) -> list[str]:
    """Notes on settings that a client accepts but that make no sense."""
    found = []
    if limits.renewal >= limits.client:
        found.append(
            "Note: a lock is not renewed before it is not trusted any more: consumption pauses in every period."
        )
    if limits.client > limits.broker:
        found.append("Note: consumers trust in a lock for longer than the broker keeps it.")
    return found
