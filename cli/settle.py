"""``rebalance settle``: longest time until every queue is consumed again."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click
from click.core import ParameterSource

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.epilogs import ANSWERED
from rebalance_proofs.cli.params import Duration, Name, Rate, Whole
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.machines.settling.actions import DEFAULTS, Limits
from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.model.receiving.releases import strictly
from rebalance_proofs.model.receiving.times import REQUEST
from rebalance_proofs.model.releases import JAVA, LAST, OTHERS, Resolved, UnknownClient, UnknownRelease, resolved
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.claims.mark import BRIEFLY, legend
from rebalance_proofs.report.settling import sdks
from rebalance_proofs.report.settling.rendered import document, shown, told
from rebalance_proofs.report.settling.settings import Settings, settings
from rebalance_proofs.report.settling.settings import document as settings_document
from rebalance_proofs.report.settling.settings import told as pasted
from rebalance_proofs.report.settling.settle import EVENTS, LISTENER, NOT_READ, ROLLING, answer
from rebalance_proofs.report.symptoms.asked import whose
from rebalance_proofs.report.symptoms.mixed import mixed

TIME = Duration()
INVISIBLE = Duration(365 * 24 * 3_600_000)
"""A year, longer than a proxy accepts: ``sdks.answer`` checks it and names the proxy's limits."""
MODES = (sdks.PUSH, sdks.ORDERLY, sdks.SIMPLE)
MOST = 10_000
"""Largest number of queues that one consumer process can have."""


@click.command(epilog=ANSWERED)
@click.option(
    "--client",
    required=True,
    type=Name(),
    metavar="VERSION",
    help="Your client: a Java client version such as 5.2 or 4.9.8, or a gRPC client such as grpc-java or "
    "'grpc-python 5.1.1'. Put commas between several.",
)
@click.option("--event", required=True, type=click.Choice(list(EVENTS)), help="Event that changes the group.")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default=MODES[0],
    show_default=True,
    help="Consumer mode: push for concurrent listeners, 'push orderly' for ordered listeners, simple for the "
    "SimpleConsumer of gRPC clients.",
)
@click.option(
    "--loop",
    type=TIME,
    default=DEFAULTS.loop,
    show_default="3s",
    help="Longest rebalance of all groups of a process, without the time that --busy adds.",
)
@click.option(
    "--busy",
    type=Whole(min=0, max=MOST),
    default=0,
    show_default=True,
    metavar="N",
    help="Number of ordered queues that one rebalance of a process removes while their listeners run. Each queue adds "
    "1 s to the rebalance, or 0.5 s from 5.2 on.",
)
@click.option(
    "--wait",
    type=TIME,
    default=DEFAULTS.wait,
    show_default="20s",
    help="rocketmq.client.rebalance.waitInterval: period of the rebalance timer.",
)
@click.option(
    "--rate",
    type=Rate(),
    default=0.0,
    help="Message rate of the affected queues, such as 100/s. With it, the answer counts waiting messages.",
)
@click.option(
    "--commit-interval",
    type=TIME,
    default=5_000,
    show_default="5s",
    help="persistConsumerOffsetInterval: time between two offset commits of a consumer.",
)
@click.option(
    "--listener",
    type=TIME,
    default=LISTENER,
    show_default="5s",
    help="Longest time that a listener takes for a batch; a shutdown should wait for it.",
)
@click.option(
    "--within", type=TIME, help="Find a waitInterval with which every queue is consumed again within this time."
)
@click.option("--distance", type=TIME, help="Time between two restarts, with --event rolling.")
@click.option(
    "--request",
    type=TIME,
    default=REQUEST,
    show_default="3s",
    help="requestTimeout of a gRPC client: longest time of a request.",
)
@click.option(
    "--invisible", type=INVISIBLE, help="Invisible duration that your code passes to receive(), with --mode simple."
)
@click.option("--all", "everything", is_flag=True, help="Print all assumptions in full.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def settle(
    client: str,
    event: str,
    mode: str,
    loop: int,
    busy: int,
    wait: int,
    rate: float,
    commit_interval: int,
    listener: int,
    within: int | None,
    distance: int | None,
    request: int,
    invisible: int | None,
    everything: bool,
    as_json: bool,
) -> int:
    """Compute the longest time until every queue is consumed again.

    The answer lists the parts of that time, each with its evidence: proved, explored, or read in RocketMQ's sources.
    It also says which messages can be redelivered. In JSON, times are in milliseconds.

    \b
    Examples:
      rebalance settle --client 5.2 --event crash --rate 100/s
      rebalance settle --client 4.9.8 --event shutdown --mode "push orderly"
      rebalance settle --client 4.9.8 --event rolling --mode "push orderly" --distance 60s
      rebalance settle --client grpc-java --event crash
    """
    names = [one.strip() for one in client.split(",") if one.strip()]
    of_grpc = {one: found for one in names if (found := _sdk(one))}
    if len(names) > 1 and as_json:
        raise UsageError("--json answers about one client; give one with --client")
    if mode == sdks.SIMPLE and len(of_grpc) < len(names):
        raise UsageError("--mode simple needs gRPC clients only, such as --client grpc-java")
    if not of_grpc:
        _refuse(OF_GRPC, "needs a gRPC client, such as --client grpc-java")
    elif len(of_grpc) == len(names):
        _refuse(OF_OTHERS, "does not concern gRPC clients; leave it out")
    orderly = mode == sdks.ORDERLY
    if orderly and (loop, wait) != (DEFAULTS.loop, DEFAULTS.wait):
        raise UsageError("--loop and --wait have no effect with --mode 'push orderly', which uses default settings")
    if orderly and within is not None:
        raise UsageError("--within needs --mode push; ordered listeners are explored with default settings only")
    if everything and as_json:
        raise UsageError("--all adds details to the text answer; leave out --json")
    shown = click.get_current_context().get_parameter_source("commit_interval") is ParameterSource.COMMANDLINE
    if shown and (orderly or not rate or not EVENTS[event].lost):
        raise UsageError("--commit-interval needs --mode push, --rate, and --event crash or host-lost")
    if wait == 0:
        raise UsageError("--wait is 0, so the rebalance thread would never pause; give at least 1ms")
    if request == 0:
        raise UsageError("--request is 0, so every request would fail; give at least 1ms")
    if distance is not None and EVENTS[event] is not ROLLING:
        raise UsageError("--distance needs --event rolling")
    if within is not None and EVENTS[event].only_explored:
        raise UsageError(f"--within has no effect with --event {event}, which is explored with default settings")
    limits = Limits(wait=wait, least=DEFAULTS.least, loop=loop)

    def settings_of(release: str) -> Settings:
        found = answer(
            of_version(release),
            EVENTS[event],
            limits,
            orderly=orderly,
            rate=rate,
            commit=commit_interval,
            busy=busy,
            listener=listener,
            distance=distance,
        )
        return settings(found, within)

    def of_sdk(found: Resolved) -> sdks.Answer:
        return sdks.answer(found.release, EVENTS[event], mode=mode, request=request, invisible=invisible)

    def lines_of(name: str) -> Iterator[str]:
        if name in of_grpc:
            yield from sdks.told(of_sdk(of_grpc[name]), of_grpc[name].note)
        elif (found := _resolved(name)).release in OTHERS:
            yield NOT_READ.format(whose(found.release), found.release)
        else:
            yield from _lines(settings_of(found.release), found.note, everything=everything)

    try:
        if len(names) > 1:
            releases = [(of_grpc.get(one) or _resolved(one)).release for one in names]
            lines: Iterable[str] = list(_of_several(names, releases, lines_of))
        elif of_grpc:
            (used,) = of_grpc.values()
            bound = of_sdk(used)
            lines = encoded(sdks.document(bound, used.note)).splitlines() if as_json else sdks.told(bound, used.note)
        else:
            used = _release(client)
            chosen = settings_of(used.release)
            printed = encoded(_document(chosen, used.note)).splitlines() if as_json else []
            lines = printed or _lines(chosen, used.note, everything=everything)
    except LookupError as error:
        raise UsageError(str(error)) from None
    with Reporter() as reporter:
        for line in lines:
            reporter.line(line)
    return 0


OF_OTHERS = ("loop", "busy", "wait", "rate", "commit_interval", "listener", "within", "distance", "everything")
"""Parameters that do not concern gRPC clients."""
OF_GRPC = ("request", "invisible")
"""Parameters that concern gRPC clients only."""


def _refuse(parameters: Sequence[str], why: str) -> None:
    """Raise ``UsageError`` if the user gives one of these parameters."""
    context = click.get_current_context()
    options = {one.name: one.opts[0] for one in context.command.params}
    for name in parameters:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"{options[name]} {why}")


def _of_several(
    names: Sequence[str], releases: Sequence[str], lines_of: Callable[[str], Iterator[str]]
) -> Iterator[str]:
    """Yield what mixes badly in one group, then the answer about each client."""
    yield from (first := list(mixed(releases)))
    for number, name in enumerate(names):
        yield from [""] * bool(first or number)
        yield from lines_of(name)


def _document(found: Settings, remark: str) -> dict[str, Any]:
    return document(found.answer, remark) | settings_document(found)


def _lines(found: Settings, remark: str, *, everything: bool) -> Iterator[str]:
    yield from told(found.answer, remark, everything=everything)
    yield ""
    yield from pasted(found)
    yield ""
    yield BRIEFLY if everything else legend(shown(found.answer))


def _release(client: str) -> Resolved:
    """Return the release that represents the user's version.

    Raises ``UsageError``, also for a client whose rebalance thread is not modelled. This check comes first, because an
    error about the client's locks would hide the reason.
    """
    found = _resolved(client)
    if found.release in OTHERS:
        raise UsageError(NOT_READ.format(whose(found.release), found.release))
    return found


def _sdk(client: str) -> Resolved | None:
    """Return the gRPC client that the user names, or None. Raises ``UsageError``."""
    try:
        return strictly(client)
    except UnknownRelease as error:
        raise UsageError(str(error)) from None


def _resolved(client: str) -> Resolved:
    """Return the release that represents the user's version. Raises ``UsageError``, without other clients."""
    try:
        return resolved(client)
    except UnknownClient:
        raise UsageError(
            f"unknown client {client!r}; name a Java client version from {JAVA[0]} to {LAST}, or a gRPC client such as "
            "grpc-java"
        ) from None
    except UnknownRelease as error:
        raise UsageError(str(error)) from None
