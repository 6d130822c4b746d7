"""A large piece that is divided into columns gives the facts of the same lines one by one."""

from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rebalance_proofs.recorded.logs import columns, reader
from rebalance_proofs.recorded.logs.fact import Fact
from rebalance_proofs.recorded.logs.reader import Reader
from rebalance_proofs.recorded.logs.reading import Tally

MQ = "MessageQueue [topic=T, brokerName=b-0, queueId={}]"
COMMIT = "INFO RocketmqClient - [persistAll] Group: {} ClientId: c@1 updateConsumeOffsetToBroker " + MQ + " {}"
OTHERS = (
    "INFO RocketmqClient - doRebalance, G, add a new mq, " + MQ.format(1),
    "INFO RocketmqClient - doRebalance, G, remove unnecessary mq, " + MQ.format(0),
    "INFO  [main] c.e.Shop - order 17 saved",
    "[pool-1] DEBUG c.e.Shop - at 2023-01-31 11:00:00,000 it began",
    "WARN RocketmqClient - execute the pull request exception",
    "PST INFO c.e.Shop - saved",
    "INFO c.e.Shop - caf\u00e9 <b>saved</b>",
    "INFO c.e.Shop - PopConsumerCache is off, and changeInvisibleTime",
    "INFO RocketmqClient - [persistAll] Group: G ClientId: c@1 updateConsumeOff",
    "WARN RocketmqRemoting - closeChannel: close the connection to remote address[10.0.0.9:10911] result: true",
    "INFO c.e.Shop - allocate mq: nothing",
)
UNDATED = (
    "java.lang.IllegalStateException: shut",
    "\tat c.e.Shop.save(Shop.java:7)",
    "",
    "setToBroker " + MQ.format(2),
)
STEPS = (0, 0, 0, 1, 5_000, 5_000, 5_000, 7_000, 13_000, 61_000, -300, -3_000, -20_000)


def _commit(group: str, queue: int, offset: int) -> str:
    return COMMIT.format(group, queue, offset)


OFFSETS = st.one_of(st.integers(0, 12), st.sampled_from([99, 100, 10**17, 10**19]))
TEXTS = st.one_of(
    st.builds(_commit, st.sampled_from("GH"), st.integers(0, 2), OFFSETS),
    st.builds(_commit, st.just("G"), st.just(0), st.just(5)),
    st.sampled_from(OTHERS),
)
LINES = st.lists(
    st.one_of(st.tuples(st.sampled_from(STEPS), TEXTS), st.tuples(st.none(), st.sampled_from(UNDATED))), max_size=60
)


def _read(pieces: list[bytes], large: int) -> tuple[list[Fact], Tally]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "LARGE", large)
        patch.setattr(columns, "FEWEST", 1)
        made = Reader()
        for piece in pieces:
            made.feed(piece)
        made.end()
    return sorted(made.facts, key=str), made.tally


def _text(lines: list[tuple[int | None, str]], end: str) -> bytes:
    times = accumulate(step or 0 for step, _ in lines)
    return "".join(
        (text if step is None else f"2023-01-31 12:{at // 60_000 % 60:02}:{at // 1000 % 60:02},{at % 1000:03} {text}")
        + end
        for (step, text), at in zip(lines, times, strict=True)
    ).encode()


@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
@example([(5_000, _commit("G", 0, 7))] * 3 + [(61_000, _commit("G", 0, 7)), (1, _commit("G", 0, 8))], "\n", False)
@example([(0, OTHERS[2]), (7_000, OTHERS[2]), (-3_000, OTHERS[2]), (0, OTHERS[2])], "\n", False)
@example(
    [(0, _commit("G", 0, 7)), (None, "#Topic  #Broker Name"), (0, OTHERS[2]), (0, _commit("G", 0, 8))], "\n", False
)
@example([(0, OTHERS[2]), (None, "12"), (0, OTHERS[0])], "\n", True)
def test_columns_give_the_facts_of_single_lines(lines, end, cut):
    first = _text([(0, _commit("G", 0, 7))], end)
    text = _text([(1, _commit("G", 0, 7)), *lines], end)
    pieces = [first, text[:-3] if cut else text]
    assert _read(pieces, 1) == _read(pieces, 1 << 40)


def test_large_pieces_are_divided_into_columns(monkeypatch):
    divided = []
    monkeypatch.setattr(columns, "columns", lambda *given: divided.append(given))
    _read([_text([(0, _commit("G", 0, 7))], "\n")] * 3, 1)
    assert len(divided) == 2  # never the first piece of a file: small logs are read without NumPy
