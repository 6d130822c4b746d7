"""Values of options: how they are parsed, and their ranges."""

import click
import pytest

from rebalance_proofs.cli.audit import Allowed, Kinds, Shift, When, Zone
from rebalance_proofs.cli.moves import MOST as MOST_QUEUES
from rebalance_proofs.cli.moves import Growth
from rebalance_proofs.cli.params import Duration, File, Folder, Master, Name, Rate, Seconds, Whole
from rebalance_proofs.cli.settle import MOST
from rebalance_proofs.cli.why import WEEK
from rebalance_proofs.recorded.audit.finding import What
from tests.each import each

FOLDER = Folder("name one")


@each(
    ("kind", "typed", "value"),
    [
        (Duration(), "300ms", 300),
        (Duration(), "0s", 0),
        (Duration(), "1.5s", 1_500),
        (Duration(), " 2 m ", 120_000),
        (Duration(), "2min", 120_000),
        (Duration(), "1h", 3_600_000),
        (Duration(), 250, 250),
        (Duration(WEEK), "168h", 604_800_000),
        (Rate(), "100/s", 100.0),
        (Rate(), "1.5/s", 1.5),
        (Rate(), "999999999/s", 999_999_999.0),
        (Rate(), 2.5, 2.5),
        (Seconds(0.001, 86_400), "86400", 86_400.0),
        (Seconds(0.001, 86_400), "0.001", 0.001),
        (Whole(0, MOST), "10000", 10_000),
        (Whole(1, 256), "1", 1),
        (Growth(), "1:2", (1, 2)),
        (Growth(), f"4:{MOST_QUEUES}", (4, 1024)),
        (Growth(), (3, 4), (3, 4)),
        (Name(), " push ", "push"),
        (Master(), "local[2]", "local[2]"),
        *((Zone(), text, ("", 0)) for text in ("Z", "utc", " GMT ", "+0", "-00:00", "UTC+00")),
        (Zone(), "+08:00", ("", 8 * 3_600_000)),
        (Zone(), "gmt-0330", ("", -210 * 60_000)),
        (Zone(), "c=0.log=+14:59", ("c=0.log", 899 * 60_000)),
        (Zone(), "c0.log=UTC", ("c0.log", 0)),
        (Shift(), "c0.log=+1.2s", ("c0.log", 1_200)),
        (Shift(), "c0.log=3ms", ("c0.log", 3)),
        (Shift(), "a=b=-2h", ("a=b", -7_200_000)),
        (When(), " 2026-11-23T19:17:30.25 ", "2026-11-23 19:17:30.25"),
        (Shift(), "c0.log=12h", ("c0.log", 12 * 3_600_000)),
        (Kinds(), " two, nobody,", (What.TWO, What.NOBODY)),
        (Kinds(), "none", ()),
        *((Kinds(), kinds, kinds) for kinds in ((), (What.TWO,))),
        (Allowed(), " two =30s", (What.TWO, 30_000)),
        (Allowed(), "nobody=168h", (What.NOBODY, 7 * 24 * 3_600_000)),
        *((kind, ("two", 1), ("two", 1)) for kind in (Zone(), Shift(), Allowed())),
        *((When(), text, text) for text in ("19:17", "19:17:30", "2026-11-23", "2026-11-23 19:17")),
    ],
)
def test_option_value_is_parsed(kind, typed, value):
    assert kind.convert(typed, None, None) == value


@each(
    ("kind", "typed", "said"),
    [
        (Duration(), "3600001ms", "'3600001ms' is too long; write a time of at most an hour"),
        (Duration(), "1.0001h", "is too long"),
        (Duration(WEEK), "604800001ms", "is too long; write a time of at most 168 hours"),
        (Duration(), "5", "'5' has no unit; write 5s or 5ms"),
        (Duration(), "5 d", "is not a time"),
        (Duration(), "-5s", "is not a time"),
        (Rate(), "1234567890/s", "is not a rate"),
        (Rate(), "100", "is not a rate"),
        (Seconds(0.001, 86_400), "nan", "'nan' is not a number of seconds"),
        (Seconds(0.001, 86_400), "86401", "not in the range"),
        (Whole(0, MOST), "10001", "not in the range"),
        (Whole(1, 256), "0", "not in the range"),
        (Growth(), "16", "is not FROM:TO"),
        (Growth(), "0:4", "write a smaller and a larger number from 1 to 1024"),
        (Growth(), "4:4", "write a smaller and a larger number from 1 to 1024"),
        (Growth(), "5:4", "write a smaller and a larger number from 1 to 1024"),
        (Growth(), "4:1025", "write a smaller and a larger number from 1 to 1024"),
        (Growth(), "4:10240", "is not FROM:TO"),
        (Name(), " ", "' ' is not a name"),
        (Master(), "", "'' is not a Spark master"),
        *(
            (Zone(), text, f"{text!r} is not a time zone")
            for text in ("", "+15", "=+08:00", "+08:60", "8", "CET", "+080")
        ),
        *(
            (Shift(), text, f"{text!r} is not a clock error")
            for text in ("", "+1s", "=+1s", "c0.log=", "c0.log=x", "c0.log=++1s")
        ),
        (Shift(), "c0.log=1", "'1' has no unit"),
        (Shift(), "c0.log=43200001ms", "'43200001ms' is too long; write a time of at most 12 hours"),
        (Kinds(), ",", "',' names no finding; write none, or some of "),
        (Kinds(), "two,none", "'none' is not a kind of finding"),
        (Allowed(), "two", "'two' has no time; write KIND=TIME, such as two=30s"),
        (Allowed(), "bak=1s", "'bak' is not a kind of finding; did you mean 'back'"),
        (Allowed(), "two=604800001ms", "'604800001ms' is too long; write a time of at most 168 hours"),
        *((When(), text, f"{text!r} is not a time") for text in ("", "7:17", "19:17:3", "23.11.2026", "2026-11-23 19")),
        (FOLDER, "", "'' is not a folder name; name one"),
        (File(), " ", "is not a file name"),
    ],
)
def test_invalid_option_value_is_refused(kind, typed, said):
    with pytest.raises(click.BadParameter) as refused:
        kind.convert(typed, None, None)
    assert said in refused.value.message


def test_path_option_keeps_the_typed_path(tmp_path):
    assert FOLDER.convert(str(tmp_path), None, None) == tmp_path
    assert File().convert(str(tmp_path / "results.json"), None, None) == tmp_path / "results.json"
