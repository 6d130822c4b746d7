"""Files with names of the user's cluster: what is parsed, and what is refused."""

from pathlib import Path

import click
import pytest

from rebalance_proofs.cli.params import NumberOrFile
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.shares.described import client_ids, listed, topics
from rebalance_proofs.spark_enum.bounds import LARGEST
from tests.each import each
from tests.typed import typed


@pytest.fixture
def read(tmp_path):
    """Function that reads such files, given their content by option."""

    def of(**files):
        paths = {}
        for option, content in files.items():
            paths[option] = tmp_path / option
            paths[option].write_text(content, encoding="utf-8")
        return listed(*(paths.get(option) for option in ("ids", "brokers", "queues")))

    return of


def told(queues):
    """These queues, each as topic, broker and queueId."""
    return [(one.topic, one.broker_name, one.queue_id) for one in queues]


def test_names_of_missing_files_are_empty(read):
    assert listed(None, None, None) == ([], ())
    assert read(ids="a") == (["a"], ())
    assert (read(queues="b 0")[0], told(read(queues="b 0")[1])) == ([], [("orders", "b", 0)])


def test_lines_without_a_name_are_ignored_and_ids_are_sorted(tmp_path):
    path = tmp_path / "ids.txt"
    path.write_text("# of the first zone\n\n  c2 \nc1@7\n\t\n#c3\n", encoding="utf-8")
    assert client_ids(str(path), None) == ("c1@7", "c2")


def test_broker_without_a_number_has_eight_queues(read):
    queues = read(brokers="b 2\na\n")[1]
    assert len(queues) == 10
    assert sorted(told(queues)) == [*(("orders", "a", n) for n in range(8)), ("orders", "b", 0), ("orders", "b", 1)]


def test_queue_line_may_omit_the_topic(tmp_path):
    path = tmp_path / "queues.txt"
    path.write_text("pay b 3\nb 1\n", encoding="utf-8")
    every = [queue for topic in topics(path, None, ()) for queue in topic.queues]
    assert told(every) == [("orders", "b", 1), ("pay", "b", 3)]


@each(
    ("files", "said"),
    [
        ({"brokers": "a 1", "queues": "a 0"}, "--brokers and --queues FILE both define the queues; leave out one"),
        ({"ids": "c\na\nb\na\nb"}, "--ids: 'a' is listed twice"),
        ({"brokers": "a 1\na 2"}, "--brokers: 'orders a 0' is listed twice"),
        ({"queues": "t a 0\nt a 0"}, "--queues: 't a 0' is listed twice"),
        ({"ids": "\n".join(map(str, range(LARGEST + 1)))}, f"--ids: {LARGEST + 1:,} names are too many; list at most"),
        ({"brokers": f"a {LARGEST}\nb 1"}, f"--brokers: {LARGEST + 1:,} names are too many"),
        ({"ids": "a b"}, "--ids: 'a b' has too many words; write one client id on each line"),
        ({"brokers": "a 1 2"}, "--brokers: 'a 1 2' has too many words; write NAME or NAME QUEUES"),
        ({"queues": "t a 1 2"}, "--queues: 't a 1 2' has too many words; write TOPIC BROKER QUEUEID"),
        ({"brokers": "a 0"}, "--brokers: 'a 0' has to be a broker with 1 to 512 queues, such as broker-a 8"),
        ({"brokers": f"a {LARGEST + 1}"}, "has to be a broker with"),
        ({"brokers": "a b"}, "--brokers: 'a b' has to be a broker with"),
        ({"queues": "a"}, "--queues: 'a' is not a queue; write TOPIC BROKER QUEUEID or BROKER QUEUEID"),
        ({"queues": "a b"}, "--queues: 'a b' is not a queue"),
        ({"ids": "# none\n"}, "contains no names"),
        ({"ids": "a\x07"}, "--ids: 'a\\x07' has characters that cannot be in a name"),
    ],
    ids=lambda value: None,
)
def test_invalid_names_file_is_refused(read, files, said):
    with pytest.raises(UsageError) as refused:
        read(**files)
    assert said in str(refused.value)


@each(
    ("typed", "value"),
    [("8", 8), (" -3 ", -3), ("8.txt", Path("8.txt")), (typed("²"), Path(typed("²"))), (Path("8"), Path("8"))],
    ids=lambda value: None,
)
def test_number_is_a_number_and_other_text_is_a_file(typed, value):
    assert NumberOrFile().convert(typed, None, None) == value


def test_blank_text_is_neither_number_nor_file():
    with pytest.raises(click.BadParameter, match="' ' is neither a number nor a file"):
        NumberOrFile().convert(" ", None, None)


def test_names_file_is_read_up_to_its_size_limit(tmp_path):
    path = tmp_path / "ids"
    path.write_text("a" * 2**20, encoding="utf-8")
    assert listed(path, None, None)[0] == ["a" * 2**20]
    path.write_text("a" * (2**20 + 1), encoding="utf-8")
    with pytest.raises(UsageError, match="--ids: "):
        listed(path, None, None)


@each("files", [{"ids": "\n".join(map(str, range(LARGEST)))}, {"brokers": f"a {LARGEST}"}], ids=[*"12"])
def test_names_are_limited_to_the_largest_group(read, files):
    assert LARGEST in map(len, read(**files))
