"""Strategies and clients by the names that users know: ``CONSISTENT_HASH of the Go client``, not ``hash-go``."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.nearby import NearbyEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES, Profile
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.english import listing

LANGUAGES = {"java": "Java", "go": "Go", "node": "Node", "cpp": "C++", "rust": "Rust"}
VERSIONS = {"java_v4": "4.9", "java_v5": "5"}
"""Where there is a profile for more than one version of a client."""


def client(profile: Profile) -> str:
    """``Java 4.9``, ``Go``."""
    return " ".join([language(profile), *([VERSIONS[profile.name]] if profile.name in VERSIONS else [])])


def language(profile: Profile) -> str:
    """``Java``."""
    name = profile.name.split("_")[0]
    return LANGUAGES.get(name, name)


def clients(profiles: Iterable[Profile]) -> tuple[str, ...]:
    """``Java``, ``Rust``: a client all of whose versions are among them goes by its language alone."""
    found = []
    for name, versions in groupby(profiles, language):
        given = list(versions)
        whole = len(given) == sum(language(profile) == name for profile in PROFILES)
        found += [name] if whole else [client(profile) for profile in given]
    return tuple(found)


def shippers(strategy: Strategy) -> tuple[Profile, ...]:
    """The clients that ship exactly this function under its name, however it is configured."""
    return tuple(profile for profile in PROFILES if any(same(strategy, shipped) for shipped in profile.strategies))


def variants(strategy: Strategy) -> tuple[Strategy, ...]:
    """The functions that clients ship under the strategy's name."""
    return tuple(other for other in ALL if other.rocketmq_name == strategy.rocketmq_name)


def same(one: Strategy, other: Strategy) -> bool:
    """They are one function under one name; configuring gives another ``allocate``, what it was made by stays."""
    made = [strategy.configure or strategy.allocate for strategy in (one, other)]
    return one.rocketmq_name == other.rocketmq_name and made[0] is made[1]


def label(strategy: Strategy) -> str:
    """``AVG``, ``CONSISTENT_HASH of the Go client``, ``MACHINE_ROOM_NEARBY of the Java and Rust clients, over AVG``."""
    found = shippers(strategy)
    if not found or len(variants(strategy)) < 2:
        return f"{strategy.rocketmq_name}{_over(strategy, ' ')}"
    names = clients(found)
    whose = f"of the {listing(names)} {'client' if len(names) == 1 else 'clients'}"
    return f"{strategy.rocketmq_name} {whose}{_over(strategy, ', ')}"


def short_label(strategy: Strategy) -> str:
    """The same for tables: ``CONSISTENT_HASH (Go)``, ``MACHINE_ROOM_NEARBY over AVG (Java, Rust)``."""
    return f"{strategy.rocketmq_name}{_over(strategy, ' ')}{_whose(strategy)}"


def of_client(strategy: Strategy) -> str:
    """The same without the strategy inside it: ``MACHINE_ROOM_NEARBY (Java, Rust)``."""
    return f"{strategy.rocketmq_name}{_whose(strategy)}"


def _whose(strategy: Strategy) -> str:
    found = shippers(strategy)
    return f" ({', '.join(clients(found))})" if found and len(variants(strategy)) > 1 else ""


def _over(strategy: Strategy, before: str) -> str:
    """``over AVG``, the strategy inside it, if there is one."""
    if not isinstance(strategy.encoding, NearbyEncoding):
        return ""
    inner = next((other for other in ALL if other.encoding is strategy.encoding.inner), None)
    return f"{before}over {inner.rocketmq_name}" if inner else ""


def subject(strategies: Sequence[Strategy]) -> str:
    """The rows of tables: ``AVG``, ``AVG + AVG_BY_CIRCLE``."""
    return " + ".join(map(short_label, strategies))


def run_by(strategy: Strategy) -> str:
    """Whose function it is: ``the Go client``, ``the Java or Rust client``."""
    return f"the {' or '.join(clients(shippers(strategy)))} client"


_WHOSE = {found.name: run_by(found) for found in ALL if len(variants(found)) > 1}
_NAME = "|".join(sorted(_WHOSE, key=len, reverse=True))
_ALONE = re.compile(rf"\b(by|in) ({_NAME})(?=[,.])")
_PAIR = re.compile(rf"\(({_NAME}) and ({_NAME})\)")


def readable(text: str) -> str:
    """A sentence of the ledger with clients by their names where it calls them by those of their strategies."""
    text = _ALONE.sub(lambda found: f"{found[1]} {_WHOSE[found[2]]}", text)
    return _PAIR.sub(lambda found: f"({_WHOSE[found[1]]}, and {_WHOSE[found[2]]})", text)


def set_by_users(claim: Claim) -> list[str]:
    """Names of the claim's strategies that a user can set: of one over several topics, that of the one inside it."""
    known = {strategy.rocketmq_name for strategy in ALL}
    inner = (strategy.rocketmq_name.partition(",")[0] for strategy in claim.subjects)
    return [name for name in inner if name in known]
