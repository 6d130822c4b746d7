"""Check ``avg.tsv``: results of AVG and AVG_BY_CIRCLE for small lists.

The numbers go up to a bound. All five clients computed the same results, from the unsorted lists in ``avg_layouts.tsv``
and ``avg_cids.tsv``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import RECORDED, ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import (
    Row,
    RowError,
    Table,
    anything,
    client_ids,
    expect,
    number,
    queues,
    queues_text,
    quoted,
)
from rebalance_proofs.recorded.tally import Format, Part

# Allocations as text in files: each consumer's positions in mqAll, or each queue's owner.

Queues = Sequence[MessageQueue]
MOST_QUEUES = 10
"""Largest number of queues for which positions in mqAll are single digits."""
NOBODY = -1


def shipped(profile: Profile, rocketmq_name: str, **arguments: Any) -> Strategy:
    """Return the client's strategy with RocketMQ's name, constructed with these arguments.

    The client must have this strategy.
    """
    strategy = profile.strategy(rocketmq_name)
    if strategy is None:
        raise LookupError(f"{profile.name} ships no {rocketmq_name}")
    return profile.configured(strategy, **arguments) if arguments else strategy


def check_lists(text: str, q: int, c: int, what: str) -> None:
    """Check that a text has ``c`` consumers' positions among ``q`` queues, as in ``0,1|2|``.

    Raises ``RowError`` otherwise.
    """
    shares = [[number(item, "position") for item in share.split(",")] if share else [] for share in text.split("|")]
    expect(len(shares) == c, f"{what} has {len(shares)} consumers, c is {c}")
    for position in (position for share in shares for position in share):
        expect(0 <= position < q, f"{what} has position {position}, which is outside mqAll of {q} queues")


def check_digits(text: str, q: int, c: int, what: str) -> None:
    """Check that a text has ``c`` consumers' positions as single digits, as in ``02|1``.

    Raises ``RowError`` otherwise.
    """
    consumers = text.count("|") + 1
    expect(consumers == c, f"{what} has {consumers} consumers, c is {c}")
    for digit in text.replace("|", ""):
        if not (digit.isascii() and digit.isdigit()):
            raise RowError(f"{what} has position {quoted(digit)}, not a digit")
        expect(int(digit) < q, f"{what} has position {digit}, which is outside mqAll of {q} queues")


def owners_text(owners: Sequence[int], cid_all: Sequence[str]) -> str:
    """Return recorded owners as text: for each queue an index into cidAll, or ``NOBODY``.

    Raises ``RowError``.
    """
    for owner in owners:
        expect(NOBODY <= owner < len(cid_all), f"a queue belongs to consumer {owner}, there are {len(cid_all)}")
    return ",".join(map(str, owners))


def positions(
    profile: Profile, strategy: Strategy, cid: str, mq_all: Queues, cid_all: Sequence[str]
) -> list[int | None]:
    """Return the positions in mqAll of the queues that the model gives to a client id.

    A null element becomes None. Queues are compared by identity, because mqAll can contain equal ones. Raises
    ``ClientError`` if the client throws.
    """
    places = {id(queue): place for place, queue in enumerate(mq_all)}
    result = profile.allocate(strategy, cid, mq_all, cid_all)
    return [None if queue is None else places[id(queue)] for queue in result or ()]


def computed_shares(
    profile: Profile, strategy: Strategy, mq_all: Queues, cid_all: Sequence[str], between: str = ""
) -> str:
    """Return as text the positions in mqAll that the model gives to each client id.

    Return the client's error as text if it throws.
    """
    try:
        shares = [positions(profile, strategy, cid, mq_all, cid_all) for cid in cid_all]
    except ClientError as error:
        return str(error)
    return "|".join(between.join(map(str, share)) for share in shares)


def computed_owners(profile: Profile, strategy: Strategy, mq_all: Queues, cid_all: Sequence[str]) -> str:
    """Return as text the owner that the model gives to each queue.

    A queue with two owners shows both, as ``0+1``. A repeated id counts with its first index. If the client throws, the
    text is its error.
    """
    owners: list[list[int]] = [[] for _ in mq_all]
    try:
        for index, cid in enumerate(cid_all):
            if cid_all.index(cid) == index:
                for position in positions(profile, strategy, cid, mq_all, cid_all):
                    if position is not None:
                        owners[position].append(index)
    except ClientError as error:
        return str(error)
    return ",".join("+".join(map(str, found or [NOBODY])) for found in owners)


RESULTS, LAYOUTS, CIDS = "avg.tsv", "avg_layouts.tsv", "avg_cids.tsv"
STRATEGIES = ("AVG", "AVG_BY_CIRCLE")
LAYOUT_ROWS = Table({"layout": anything, "q": number, "mq_input_order": anything, "mq_sorted": anything})
CID_ROWS = Table({"c": number, "cid_input_order": anything, "cid_sorted": anything})
RESULT_ROWS = Table({"layout": anything, "q": number, "c": number} | dict.fromkeys(STRATEGIES, anything))

Layouts = dict[tuple[str, int], Mapping[str, list[MessageQueue]]]
"""(layout, number of queues) -> name of a client's profile -> mqAll as this client sorts it."""

CidLists = dict[int, Mapping[str, list[str]]]
"""Number of consumers -> name of a client's profile -> cidAll as this client sorts it."""


def check_layout(row: Row, layouts: Layouts) -> None:
    """Check that every client's sort gives the recorded order of queues."""
    layout, q, given_text, recorded = row
    given = queues(given_text, q, "mq_input_order")
    queues(recorded, q, "mq_sorted")
    expect((layout, q) not in layouts, f"layout {quoted(layout)} of {q} queues occurs twice")
    what = f"the {q} queues of layout {layout}"
    layouts[layout, q] = compare_order(row, what, recorded, lambda profile: profile.sort_queues(given), queues_text)


def check_cid_list(row: Row, cid_lists: CidLists) -> None:
    """Check that every client's sort gives the recorded order of client ids."""
    c, given_text, recorded = row
    given = client_ids(given_text, c, "cid_input_order")
    client_ids(recorded, c, "cid_sorted")
    expect(c not in cid_lists, f"the list of {c} client ids occurs twice")
    what = f"the {c} client ids"
    cid_lists[c] = compare_order(row, what, recorded, lambda profile: profile.sort_client_ids(given), ",".join)


def compare_order(
    row: Row, what: str, recorded: str, sort: Callable[[Profile], list[Any]], written: Callable[[list[Any]], str]
) -> Mapping[str, list[Any]]:
    """Compare each client's sorted order of ``what``, and return the orders by profile name."""
    orders = {profile.name: sort(profile) for profile in RECORDED}
    for profile in RECORDED:
        row.compare(profile, f"order of {what}", recorded, written(orders[profile.name]))
    return orders


def check_results(row: Row, layouts: Layouts, cid_lists: CidLists) -> None:
    """Check the results of every client that has the strategy.

    They are positions in the client's sorted mqAll for each id of its sorted cidAll.
    """
    layout, q, c, *_ = row
    expect((layout, q) in layouts, f"layout {quoted(layout)} of {q} queues is not in {LAYOUTS}")
    expect(c in cid_lists, f"a list of {c} client ids is not in {CIDS}")
    for name in STRATEGIES:
        check_lists(row[name], q, c, name)
    for profile in RECORDED:
        mq_all, cid_all = layouts[layout, q][profile.name], cid_lists[c][profile.name]
        for strategy in profile.strategies:
            if (name := strategy.rocketmq_name) in STRATEGIES:
                computed = computed_shares(profile, strategy, mq_all, cid_all, between=",")
                row.compare(profile, f"{name} of layout {layout}, q={q}, c={c}", row[name], computed, [strategy.name])


FORMAT = Format(
    (
        Part(LAYOUTS, LAYOUT_ROWS, check_layout, uses=(LAYOUTS,)),
        Part(CIDS, CID_ROWS, check_cid_list, uses=(CIDS,)),
        Part(RESULTS, RESULT_ROWS, check_results, uses=(LAYOUTS, CIDS)),
    )
)
