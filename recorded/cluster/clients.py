"""Find the model's client for a recorded RocketMQ release, for each state machine."""

from dataclasses import replace
from functools import cache
from typing import Any

from rebalance_proofs.model.machine.page import Page
from rebalance_proofs.model.machines.offsets import actions as offsets
from rebalance_proofs.model.machines.offsets.state import JavaClient
from rebalance_proofs.model.machines.ordered import actions as ordered
from rebalance_proofs.model.machines.pulls import actions as pulls
from rebalance_proofs.model.machines.registry import actions as registry
from rebalance_proofs.model.machines.settling import actions as settling
from rebalance_proofs.model.machines.settling.claims import PAGE as SETTLING_PAGE
from rebalance_proofs.model.machines.subscriptions import actions as subscriptions
from rebalance_proofs.model.releases import JAVA, Resolved, UnknownRelease, resolved
from rebalance_proofs.model.transition.generations import GENERATIONS, Generation
from rebalance_proofs.recorded.groups.driver import StartConsumer


def java_recorded(words: str) -> Resolved:
    """Return the Java release that represents a version in a recording, such as ``5.3.3`` or its short form ``53``.

    Raises ``UnknownRelease``.
    """
    return java_release(f"{words[0]}.{words[1:]}" if words.isdecimal() and len(words) == 2 else words)


def java_release(words: str) -> Resolved:
    """Return the Java release that represents a version that the user typed. Raises ``UnknownRelease``."""
    found = resolved(words)
    if found.release not in JAVA:
        raise UnknownRelease(
            f"{words!r} is not a Java client, but recorded groups are of Java clients; name a version such as 5.2"
        )
    return found


@cache
def generation(release: str) -> Generation:
    """Return the generation of the client's rebalance code; several releases share one."""
    return next(one for one in GENERATIONS if release in one.releases)


@cache
def settling_client(release: str) -> settling.SettlingClient:
    """Return the model's client for the rebalance thread (when a client rebalances)."""
    return next(one for one in settling.CLIENTS if generation(release) in one.generations)


@cache
def offsets_client(release: str, *, orderly: bool) -> JavaClient:
    """Return the model's client for the consumption of a message.

    ``orderly``: with an ordered listener.
    """
    known = offsets.ORDERLY if orderly else offsets.CONCURRENT
    return next(one for one in known if generation(release) in one.generations)


@cache
def ordered_client(release: str) -> ordered.OrderedClient:
    """Return the model's client for ordered consumption with queue locks."""
    return next(one for one in ordered.CLIENTS if generation(release) in one.generations)


@cache
def pulls_client(release: str) -> pulls.PullsClient:
    """Return the model's client for pull requests."""
    return next(one for one in pulls.CLIENTS if release in one.releases)


@cache
def registry_client(release: str) -> registry.RegistryClient:
    """Return the model's client for registration at a broker by heartbeats.

    Some releases have several variants in the model; those with ``start()`` or with a heartbeat on each new connection
    are preferred.
    """
    known = [one for one in registry.CLIENTS if release in one.releases]
    return next((one for one in known if one.stops), next((one for one in known if one.greets), known[0]))


@cache
def subscriptions_client(release: str, *, fingerprints: bool) -> subscriptions.SubscriptionsClient:
    """Return the model's client for subscriptions; ``fingerprints``: True with heartbeat V2."""
    known = [one for one in subscriptions.CLIENTS if release in one.releases]
    if fingerprints:
        return next((one for one in known if one.fingerprints), known[0])
    plain = [one for one in known if not one.fingerprints]
    return next((one for one in plain if one.delays), plain[0])


def limits_of(page: Page[Any, Any, Any, Any], started: StartConsumer) -> Any:
    """Return a consumer's time limits: the page's defaults, or settings of the process and the consumer."""
    known: Any = page.examples
    return replace(known, **started.numbers(page.shown.settings if page.shown else {}))


def settling_limits(started: StartConsumer) -> settling.Limits:
    """Return the time limits of a consumer's rebalance thread."""
    limits: settling.Limits = limits_of(SETTLING_PAGE, started)
    return limits
