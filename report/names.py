"""Names that users know for strategies and clients: ``CONSISTENT_HASH of the Go client``, not ``hash-go``."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation.nearby import NearbyEncoding
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import PROFILES, Profile
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.english import listing
from rebalance_proofs.report.releases import LANGUAGES, VERSIONS


def client(profile: Profile) -> str:
    """The client's name, with its version where there are several: ``Java 4.9``, ``Go``."""
    return " ".join([language(profile), *([VERSIONS[profile.name]] if profile.name in VERSIONS else [])])


def language(profile: Profile) -> str:
    """The client's language: ``Java``."""
    name = profile.name.split("_")[0]
    return LANGUAGES.get(name, name)


def clients(profiles: Iterable[Profile]) -> tuple[str, ...]:
    """Names of clients: ``Java``, ``Rust``; without the version where all profiles of a language are among them."""
    found = []
    for name, versions in groupby(profiles, language):
        given = list(versions)
        whole = len(given) == sum(language(profile) == name for profile in PROFILES)
        found += [name] if whole else [client(profile) for profile in given]
    return tuple(found)


def shippers(strategy: Strategy) -> tuple[Profile, ...]:
    """Clients that ship exactly this function under its name, however it is configured."""
    return tuple(profile for profile in PROFILES if any(same(strategy, shipped) for shipped in profile.strategies))


def variants(strategy: Strategy) -> tuple[Strategy, ...]:
    """All functions that clients ship under the strategy's name."""
    return tuple(other for other in ALL if other.rocketmq_name == strategy.rocketmq_name)


def same(one: Strategy, other: Strategy) -> bool:
    """Whether both are the same function under the same name, disregarding their configuration."""
    made = [strategy.configure or strategy.allocate for strategy in (one, other)]
    return one.rocketmq_name == other.rocketmq_name and made[0] is made[1]


def label(strategy: Strategy) -> str:
    """Name with its clients: ``AVG``, ``CONSISTENT_HASH of the Go client``, ``... of the Java client, over AVG``."""
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
    """The same without the inner strategy: ``MACHINE_ROOM_NEARBY (Java, Rust)``."""
    return f"{strategy.rocketmq_name}{_whose(strategy)}"


def _whose(strategy: Strategy) -> str:
    found = shippers(strategy)
    return f" ({', '.join(clients(found))})" if found and len(variants(strategy)) > 1 else ""


def _over(strategy: Strategy, before: str) -> str:
    """The inner strategy: ``over AVG``; empty without one."""
    if not isinstance(strategy.encoding, NearbyEncoding):
        return ""
    inner = next((other for other in ALL if other.encoding is strategy.encoding.inner), None)
    return f"{before}over {inner.rocketmq_name}" if inner else ""


def subject(strategies: Sequence[Strategy]) -> str:
    """Head of a table row: ``AVG``, ``AVG + AVG_BY_CIRCLE``."""
    return " + ".join(map(short_label, strategies))


def run_by(strategy: Strategy) -> str:
    """The clients that run the function: ``the Go client``, ``the Java or Rust client``."""
    return f"the {' or '.join(clients(shippers(strategy)))} client"


_WHOSE = {found.name: run_by(found) for found in ALL if len(variants(found)) > 1}
_NAME = "|".join(sorted(_WHOSE, key=len, reverse=True))
_ALONE = re.compile(rf"\b(by|in) ({_NAME})(?=[,.])")
_PAIR = re.compile(rf"\(({_NAME}) and ({_NAME})\)")


def readable(text: str) -> str:
    """A sentence of the ledger with the clients' names where it has their strategies' short names."""
    text = _ALONE.sub(lambda found: f"{found[1]} {_WHOSE[found[2]]}", text)
    return _PAIR.sub(lambda found: f"({_WHOSE[found[1]]}, and {_WHOSE[found[2]]})", text)


def set_by_users(claim: Claim) -> list[str]:
    """The claim's strategies as users configure them; a strategy over several topics counts as its inner one."""
    known = {strategy.rocketmq_name for strategy in ALL}
    inner = (strategy.rocketmq_name.partition(",")[0] for strategy in claim.subjects)
    return [name for name in inner if name in known]
