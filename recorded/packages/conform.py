"""Compare a released package with the model of its client: strategies, and sort orders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.profile import ClientError
from rebalance_proofs.recorded.jar.compare import Compared, Difference, compare, throws
from rebalance_proofs.recorded.jar.conform import BOUND, of_model
from rebalance_proofs.recorded.jar.shipped import SHIPPED, Shipped, listed_rooms
from rebalance_proofs.recorded.packages.driver import LIMIT, Driver, Lists, NotConstructed
from rebalance_proofs.recorded.packages.install import Installed
from rebalance_proofs.recorded.packages.names import Package
from rebalance_proofs.recorded.packages.sorts import IDS, QUEUES, compare_sorts, lists

NULLS = "null lists and null elements"
BY_TYPE = "the sort call in the client's own rebalance: the driver makes the same call on the crate's types"
"""The Rust client's rebalance is not public, and its driver cannot call it."""


@dataclass(frozen=True)
class Conformed:
    """The results of comparing one package."""

    strategies: tuple[Compared, ...]
    sorts: tuple[Compared, ...]
    """The orders of queues and of client ids; empty if the package's sorts cannot be called."""
    not_compared: tuple[str, ...]
    """Descriptions of what was left out, each with the reason."""

    @property
    def results(self) -> tuple[Compared, ...]:
        """All results: strategies first."""
        return (*self.strategies, *self.sorts)

    @property
    def differ(self) -> int:
        """Number of calls and lists for which package and model differ."""
        return sum(one.differ for one in self.results)


def shipped_by(client: str, profile: Profile) -> tuple[Shipped, ...]:
    """Return the strategies to compare, with their constructor arguments, for a client's short name."""
    found = tuple(one for one in SHIPPED if profile.strategy(one.strategy))
    if client == "rust":  # Rust has no null: the constructors require their arguments.
        return tuple(one for one in found if one.made not in ("with nothing inside", "no list"))
    if client == "go":  # A room that is named twice counts twice in a Go slice.
        return (*found, listed_rooms("room1", "room1"))
    return found


def conform_package(
    package: Package,
    installed: Installed,
    *,
    bound: int = BOUND,
    limit: float = LIMIT,
    shipped: Sequence[Shipped] | None = None,
    asked: Sequence[Lists] | None = None,
    found: Callable[[Compared], None] = lambda compared: None,
) -> Conformed:
    """Compare all strategies and both sort orders, and call ``found`` with each result.

    ``bound`` is the largest number of consumers and of queues, ``limit`` the time limit of a call in seconds.
    ``shipped`` and ``asked`` are strategies and lists, by default all.
    """
    profile, client = package.kind.profile, package.kind.client
    assert profile
    strategies: list[Compared] = []
    for one in shipped_by(client, profile) if shipped is None else shipped:
        strategies.append(_compared(one, installed, profile, bound, limit))
        found(strategies[-1])
    left_out = [NULLS]
    sorts: list[Compared] = []
    if installed.unsorted:
        left_out.append(f"{QUEUES} and {IDS}: {installed.unsorted}")
    else:
        with Driver(installed.command, installed.folder, limit=limit) as driver:
            sorts = compare_sorts(driver, profile, lists() if asked is None else asked)
        for result in sorts:
            found(result)
    if client == "rust":
        left_out.append(BY_TYPE)
    return Conformed(tuple(strategies), tuple(sorts), tuple(left_out))


def _compared(shipped: Shipped, installed: Installed, profile: Profile, bound: int, limit: float) -> Compared:
    expected = of_model(shipped, profile)
    make = {"strategy": shipped.strategy, **shipped.given}
    driver = Driver(installed.command, installed.folder, make, limit=limit)
    try:
        with driver:
            if isinstance(expected, ClientError):
                return Compared(shipped.name, 1, 1, Difference(None, "is constructed", f"throws {expected}"))
            return compare(shipped.name, driver, profile, expected, shipped.calls(bound))
    except NotConstructed as error:
        if error.absent:
            return Compared(shipped.name, 0, 1, Difference(None, str(error), "ships it"))
        if isinstance(expected, ClientError) and throws(str(error), expected):
            return Compared(shipped.name, 1)
        said = f"throws {expected}" if isinstance(expected, ClientError) else "constructs it"
        return Compared(shipped.name, 1, 1, Difference(None, str(error), said))
