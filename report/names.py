"""Readable names of strategies and clients: ``CONSISTENT_HASH of the Go client``, not ``hash-go``."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.machine_room_nearby import NearbyEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.model.assignment import pulled
from rebalance_proofs.model.profiles import PROFILES, Profile
from rebalance_proofs.model.releases import LANGUAGES
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.text.english import listing


def client(profile: Profile) -> str:
    """Return the client's name, with its version if there are several: ``Java 4.9``, ``Go``."""
    return " ".join([language(profile), *([VERSIONS[profile.name]] if profile.name in VERSIONS else [])])


def language(profile: Profile) -> str:
    """Return the client's language: ``Java``."""
    name = profile.name.split("_")[0]
    return LANGUAGES.get(name, name)


def clients(profiles: Iterable[Profile]) -> tuple[str, ...]:
    """Return the names of clients: ``Java``, ``Rust``.

    Versions are omitted if all of a language are given.
    """
    found = []
    for name, versions in groupby(profiles, language):
        given = list(versions)
        whole = len(given) == sum(language(profile) == name for profile in PROFILES)
        found += [name] if whole else [client(profile) for profile in given]
    return tuple(found)


def shippers(strategy: Strategy) -> tuple[Profile, ...]:
    """Return the clients that ship this implementation under the strategy's name."""
    return tuple(profile for profile in PROFILES if any(same(strategy, shipped) for shipped in profile.strategies))


def variants(strategy: Strategy) -> tuple[Strategy, ...]:
    """Return all implementations that clients ship under the strategy's name."""
    return tuple(other for other in ALL if other.rocketmq_name == strategy.rocketmq_name)


def same(one: Strategy, other: Strategy) -> bool:
    """Return whether both are the same implementation under the same name, regardless of configuration."""
    made = [_function(strategy.configure or strategy.allocate) for strategy in (one, other)]
    return one.rocketmq_name == other.rocketmq_name and made[0] is made[1]


def _function(made: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function itself, without a client's arguments such as its order of names."""
    return made.func if isinstance(made, partial) else made


def label(strategy: Strategy) -> str:
    """Return the strategy's name with its clients: ``AVG``, ``CONSISTENT_HASH of the Go client``."""
    found = shippers(strategy)
    if not found or len(variants(strategy)) < 2:
        return f"{strategy.rocketmq_name}{_over(strategy, ' ')}"
    names = clients(found)
    whose = f"of the {listing(names)} {'client' if len(names) == 1 else 'clients'}"
    return f"{strategy.rocketmq_name} {whose}{_over(strategy, ', ')}"


def short_label(strategy: Strategy) -> str:
    """Return the name for tables: ``CONSISTENT_HASH (Go)``, ``MACHINE_ROOM_NEARBY over AVG (Java, Rust)``."""
    return f"{strategy.rocketmq_name}{_over(strategy, ' ')}{_whose(strategy)}"


def of_client(strategy: Strategy) -> str:
    """Return the name for tables, without an inner strategy: ``MACHINE_ROOM_NEARBY (Java, Rust)``."""
    return f"{strategy.rocketmq_name}{_whose(strategy)}"


def _whose(strategy: Strategy) -> str:
    found = shippers(strategy)
    return f" ({', '.join(clients(found))})" if found and len(variants(strategy)) > 1 else ""


def _over(strategy: Strategy, before: str) -> str:
    """Return the inner strategy as ``over AVG``; empty if there is none."""
    if not isinstance(strategy.encoding, NearbyEncoding):
        return ""
    inner = next((other for other in ALL if other.encoding is strategy.encoding.inner), None)
    return f"{before}over {inner.rocketmq_name}" if inner else ""


def subject(strategies: Sequence[Strategy]) -> str:
    """Return the heading of a table row: ``AVG``, ``AVG + AVG_BY_CIRCLE``."""
    return " + ".join(map(short_label, strategies))


def run_by(strategy: Strategy) -> str:
    """Return the clients that run the implementation: ``the Go client``, ``the Java or Rust client``."""
    return f"the {' or '.join(clients(shippers(strategy)))} client"


_WHOSE = {found.name: run_by(found) for found in ALL if len(variants(found)) > 1}
_NAME = "|".join(sorted(_WHOSE, key=len, reverse=True))
_ALONE = re.compile(rf"\b(by|in) ({_NAME})(?=[,.])")
_PAIR = re.compile(rf"\(({_NAME}) and ({_NAME})\)")


def readable(text: str) -> str:
    """Replace strategies' short names in a sentence: ``by hash-go`` becomes ``by the Go client``."""
    text = _ALONE.sub(lambda found: f"{found[1]} {_WHOSE[found[2]]}", text)
    return _PAIR.sub(lambda found: f"({_WHOSE[found[1]]}, and {_WHOSE[found[2]]})", text)


def set_by_users(claim: Claim) -> list[str]:
    """Return the claim's strategies by the names that users configure.

    A strategy that divides several topics counts as the strategy that it applies to each topic. Pop mode counts as the
    strategy over which members pop.
    """
    known = {strategy.rocketmq_name for strategy in ALL}
    called = (pulled(one) if one in BY_THE_BROKER else one for one in claim.subjects)
    inner = (strategy.rocketmq_name.partition(",")[0] for strategy in called)
    return [name for name in inner if name in known]


# Display versions of profiles.


VERSIONS = {"java_v4": "4.9", "java_v5": "5"}
"""Name of a profile (modelled client code) -> version, for clients with more than one profile."""
