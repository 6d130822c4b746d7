"""What is seen in output of mqadmin, with the queues and members that it is seen at."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.mqadmin.answer import observed
from rebalance_proofs.report.symptoms.mqadmin.read import read
from rebalance_proofs.report.symptoms.mqadmin.signs import seen
from tests.report.symptoms.printed import OLD, Consumer, Entry, Row, member, progress, status

MINUTES = ("20240501095700000", "20240501095800000", "20240501095900000", "20240501100000000")
TWO = [("a@1", "V5_3_3"), ("b@2", "V5_3_3")]
PRINTED: Sequence[Sequence[str]] = (
    (progress([Row(one, client="N/A") for one in range(5)]),),
    (progress([Row(one, client="N/A") for one in range(6)] + [Row(6, 5, 9), Row(7, 9, 9)]),),
    (progress([Row(0), Row(1, 101, 100, last="2024-05-01 09:58:00"), Row(2, 101, 100, last="2024-05-01 09:57:59")]),),
    (progress([Row(0, 9, 9, last="2024-05-01 09:57:59"), Row(1, 101, client="N/A", last="2024-05-01 09:57:59")]),),
    (progress([Row(0), Row(1), Row(2, client="10.0.0.2"), Row(0, topic="U"), Row(1, topic="U")]),),
    (progress([Row(0), Row(1, client="10.0.0.2"), Row(0, topic="U"), Row(0, topic="V")], OLD),),
    (progress([Row(0), Row(1)], OLD, clients=False),),
    (
        progress([Row(0, 9, 5), Row(1, 9, 5), Row(2, 9, 9), Row(3, 9, 5, "N/A"), Row(4, 9, 7), Row(5, 5, 5)]),
        progress([Row(0, 9, 5), Row(1, 9, 6), Row(2, 10, 9), Row(3, 9, 5, "N/A"), Row(4, 9, 4), Row(6, 9, 5)]),
    ),
    (status(TWO),),
    (status([*TWO, ("a@1", "V5_1_4")], same=False),),
    (status([("a@1", "V4_9_8"), ("b@2", "V5_3_3")]),),
    (member(Consumer()),),
    (member(Consumer()), member(Consumer(address="10.0.0.2"))),
    (member(Consumer()), member(Consumer()), member(Consumer(entries=(Entry(1),)))),
    (
        member(Consumer(entries=[Entry(one) for one in range(3)])),
        member(Consumer(entries=(Entry(3),), address="10.0.0.2", version="V5_1_4", strategy="AllocateByCircle")),
        member(Consumer(entries=(), address="10.0.0.3", subscriptions=[("%RETRY%G", "*")])),
    ),
    (
        member(Consumer(model="BROADCASTING")),
        member(Consumer(model="BROADCASTING", address="10.0.0.2", subscriptions=[("T", "TagA")])),
    ),
    (
        member(
            Consumer(
                entries=[
                    Entry(0, locked=True),
                    Entry(1),
                    Entry(2, dropped=True, tries=3),
                    Entry(3, dropped=True),
                    Entry(4, pulled=MINUTES[0], locked=True),
                    Entry(5, pulled=MINUTES[1], locked=True),
                    Entry(6, cached=2, consumed=MINUTES[1], locked=True),
                    Entry(7, cached=2, consumed=MINUTES[2], locked=True),
                    Entry(8, consumed=MINUTES[0], locked=True),
                ],
                orderly=True,
            )
        ),
    ),
    (progress([Row(0)]), status(TWO), member(Consumer())),
)
"""What is given together, each in a file of its own."""


def signs() -> Iterator[str]:
    """Each sign with its words, and what the files leave open."""
    for number, texts in enumerate(PRINTED, start=1):
        yield f"{number}."
        with TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{place}.txt" for place in range(len(texts))]
            for path, text in zip(paths, texts, strict=True):
                path.write_text(text, encoding="utf-8")
            printed = read(paths)
        yield from (f"  {one.sign.name}: {one.words}" for one in seen(printed))
        answer = observed(printed, Asked())
        yield f"  {answer.read}"
        yield from (f"  {one.kind.name}: {one.words}" for one in answer.shown)
        yield f"  causes: {', '.join(one.found.cause.name for one in answer.causes) or 'none'}"
        yield from (f"  - {sentence}" for sentence in answer.notes)
        yield from (f"  ? {sentence}" for sentence in answer.asks)
