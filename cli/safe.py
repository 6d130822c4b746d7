"""``rebalance safe``: check whether timeouts keep ordered consumption exclusive."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import statuses
from rebalance_proofs.cli.params import Duration, Name
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.machine.values import Int, number
from rebalance_proofs.model.machines.ordered.actions import OrderedClient
from rebalance_proofs.model.machines.ordered.state import DEFAULTS, Limits
from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.model.releases import UnknownRelease, resolved
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ordered.safe import safe as decide
from rebalance_proofs.report.ordered import pauses as paused
from rebalance_proofs.report.ordered.safe import document, table, told
from rebalance_proofs.report.symptoms.mixed import mixed
from rebalance_proofs.report.text.english import seconds

TIME = Duration()
OPTIONS = {"client": "--lock-max-live", "renewal": "--renewal"}
"""Field of ``Limits`` -> its option, for time limits that some clients do not let users set."""


Command = Callable[..., Any]


def _limit(name: str, limit: Int, words: str) -> Callable[[Command], Command]:
    default = number(limit)
    return click.option(name, type=TIME, default=default, show_default=f"{default / 1000:g}s", help=words)


@click.command(
    epilog=statuses(
        "consumption is exclusive for every given client", "two consumers can process one queue at the same time"
    ),
)
@click.option(
    "--client",
    "clients",
    type=Name(),
    multiple=True,
    metavar="VERSION",
    help="Your client: a Java client version such as 5.2 or 4.9.8, or go. Put commas between the "
    "clients of a mixed group, or repeat the option.",
)
@_limit("--listener", DEFAULTS.listener, "Longest call of the listener for one batch, hooks and waits included.")
@_limit(
    "--delay",
    DEFAULTS.delay,
    "Longest time from the broker's grant of a lock to the consumer's time stamp of the lock. Pauses and offset "
    "queries are included.",
)
@_limit(
    "--lock-max-live",
    DEFAULTS.client,
    "rocketmq.client.rebalance.lockMaxLiveTime: how long a consumer trusts a lock without a renewal.",
)
@_limit(
    "--broker-lock",
    DEFAULTS.broker,
    "rocketmq.broker.rebalance.lockMaxLiveTime: how long the broker keeps a lock without a renewal.",
)
@_limit(
    "--unlock-delay",
    DEFAULTS.unlock,
    "rocketmq.client.unlockDelayTimeMills. Up to 5.1.4: delay of the unlock of a queue with cached messages. From 5.2 "
    "on: age at which a lock without a renewal is released, even under a running listener.",
)
@_limit(
    "--renewal",
    DEFAULTS.renewal,
    "rocketmq.client.rebalance.lockInterval: longest time between two renewals, if no renewal is late.",
)
@_limit(
    "--shutdown-wait",
    DEFAULTS.wait,
    "awaitTerminationMillisWhenShutdown: how long a shutdown waits for running listeners.",
)
@_limit(
    "--continuously",
    DEFAULTS.loop,
    "rocketmq.client.maxTimeConsumeContinuously: how long one request keeps calling the listener.",
)
@click.option("--table", "as_table", is_flag=True, help="Print the longest safe listener call of every client.")
@click.option(
    "--pauses", is_flag=True, help="Print how long a queue can pause when it changes owners, with default settings."
)
@click.option("--all", "everything", is_flag=True, help="Print counterexamples, repairs and all assumptions in full.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
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
    everything: bool,
    as_json: bool,
) -> int:
    """Check whether your timeouts keep ordered consumption exclusive.

    The answer says for each client whether two consumers can process one ordered queue at the same time. If they
    can, it lists the steps that lead there, and the settings that prevent it. In JSON, times are in milliseconds.

    \b
    Examples:
      rebalance safe --client 5.2 --listener 5s
      rebalance safe --client 4.9.8 --client 5.2 --unlock-delay 40s
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
            raise UsageError(f"{name} is 0, so no lock would ever be held; give a longer time")
    if as_table + pauses + as_json > 1:
        raise UsageError("--table, --pauses and --json exclude each other; give one of them")
    if pauses and (clients or limits != DEFAULTS):
        raise UsageError("--pauses covers all clients with default settings; leave out the other options")
    if as_table and clients:
        raise UsageError("--table covers every client; leave out --client")
    if everything and (as_table or pauses or as_json):
        raise UsageError("--all adds details to the text answer; leave out --table, --pauses and --json")
    with Reporter() as reporter:
        if pauses:
            for line in paused.told():
                reporter.line(line)
            return 0
        if as_table:
            for line in table(limits):
                reporter.line(line)
            return 0
        chosen, remarks = _chosen(clients)
        _refuse_constants(chosen, limits)
        answers = [decide(client, limits) for client in chosen]
        lines = told(answers, _warnings(limits), remarks, everything=everything)
        for line in encoded(document(answers, remarks)).splitlines() if as_json else lines:
            reporter.line(line)
    return 0 if all(answer.proved for answer in answers) else 1


def _chosen(names: tuple[str, ...]) -> tuple[list[OrderedClient], list[str]]:
    """Return the clients of the user's versions, and remarks on versions that other releases represent."""
    if not names:
        raise UsageError(
            "--client is missing; give one such as --client 5.2 or --client go, or --table for all clients"
        )
    try:
        found = [resolved(part.strip()) for name in names for part in name.split(",") if part.strip()]
        clients = list(dict.fromkeys(of_version(one.release) for one in found))
    except UnknownRelease as error:
        raise UsageError(str(error)) from None
    notes = (*mixed([one.release for one in found]), *(one.note for one in found if one.note))
    return clients, list(dict.fromkeys(notes))


def _refuse_constants(clients: list[OrderedClient], limits: Limits) -> None:
    for client in clients:
        for name in client.rules.constants:
            shipped = getattr(DEFAULTS, name)
            if getattr(limits, name) != shipped:
                raise UsageError(
                    f"{OPTIONS[name]} has no effect on {client.rocketmq_name}, which uses a constant of "
                    f"{seconds(shipped)}; leave out the option"
                )


def _warnings(limits: Limits) -> list[str]:
    """Return warnings about settings that a client accepts although they are not useful."""
    found = []
    if limits.renewal >= limits.client:
        found.append(
            "Note: lockInterval is not below the client's lockMaxLiveTime, so consumption pauses in every period."
        )
    if limits.client > limits.broker:
        found.append("Note: the client's lockMaxLiveTime is longer than the broker's.")
    return found
