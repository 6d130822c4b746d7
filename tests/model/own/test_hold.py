"""Settings fixed in a child are equal in every process, and nothing else is changed by them."""

import json
import subprocess
import sys

import pytest

from rebalance_proofs.model.own.call import Held

SHOWS = """
import sys, json
from rebalance_proofs.model.own.call import Held
from rebalance_proofs.model.own.hold import hold
hold([Held(one) for one in sys.argv[1].split(",") if one])
import datetime, os, random, secrets, time, uuid
from datetime import date, datetime as now
print(json.dumps({
    "hashes": [hash("broker-a"), hash(("T", "a", 1)), hash(b"x")],
    "random": [random.random(), random.Random().random(), random.SystemRandom().random(), secrets.token_hex(4),
               uuid.uuid4().hex, os.urandom(4).hex()],
    "time": [time.time(), time.time_ns(), time.monotonic(), time.perf_counter(), time.localtime().tm_sec, time.ctime(),
             time.strftime("%Y %H %M %S"), str(now.now()), str(now.utcnow()), str(date.today()),
             str(datetime.datetime.now(datetime.UTC)), str(now.today())],
    "plain": [hash(7), random.Random(3).random(), time.strftime("%Y", time.gmtime(0)), str(date(2020, 1, 2))],
}))
"""


def shown(*held: Held, seed: int) -> dict[str, list]:
    words = [sys.executable, "-W", "ignore", "-c", SHOWS, ",".join(one.value for one in held)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", env={"PYTHONHASHSEED": str(seed)}, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def free():
    return shown(seed=1), shown(seed=2)


def test_nothing_is_fixed_by_default(free):
    one, other = free
    for name in ("hashes", "random", "time"):
        assert [name for name, (a, b) in enumerate(zip(one[name], other[name], strict=True)) if a != b], name
    assert one["plain"] == other["plain"]


@pytest.mark.parametrize("held", [Held.HASHES, Held.RANDOM, Held.TIME])
def test_fixed_source_is_the_same_and_others_are_unchanged(held, free):
    one, other = (shown(held, seed=seed) for seed in (1, 2))
    assert one[held.value] == other[held.value]
    assert one["plain"] == free[0]["plain"]
    for name in {"hashes", "random"} - {held.value}:
        assert one[name] != other[name]


def test_two_fixed_times_differ_in_every_part():
    then, later = (shown(held, seed=1)["time"] for held in (Held.TIME, Held.LATER))
    assert not [place for place, (one, other) in enumerate(zip(then, later, strict=True)) if one == other]
