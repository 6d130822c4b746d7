"""Invalid calls of commands that answer at once: one sentence, status 2, and no file is written."""

import shlex

import pytest

BIG = "9" * 400
CALLS = {
    "list": """
        list ''
        list .
        list '...'
        list '['
        list 'allocation.avg.disjoint.'
        list --client 99.x
        list --client 5.
        list --client v
        list --mode push,pull
        list --strategy 'avg,hash'
        list --strategy '*'
        list --json --client go --mode zzz
    """,
    "why": """
        why twice twice
        why twice --for 1e9s
        why twice --for -1s
        why twice --for 99999999999999h
        why twice --for BIGs
        why twice lost
        why twice --for 0s
        why twice --for 1
        why twice --for ''
        why twice --client ''
        why --file {place}
        why --file {place}/none
        why --file ''
        why --for
        why --nope
    """,
    "moves": """
        moves --queues 0
        moves --queues -1
        moves --queues BIG
        moves --queues 1e3
        moves --queues 16.0
        moves --queues ''
        moves --consumers 65
        moves --consumers ''
        moves --strategy ''
        moves --strategy ,
        moves --strategy zzz
        moves --strategy config
        moves --grow 16
        moves --grow 16:16
        moves --grow 24:16
        moves --grow 0:5
        moves --grow :
        moves --grow 1:2:3
        moves --grow 16:24 --queues 3
        moves --brokers 3
        moves --ids a
        moves --ids ,,,,
        moves --ids a,a,b,c,d
        moves --event explode
        moves --event leave --consumers 1
        moves --place middle
        moves --output {place}
        moves --output {place}/x.png
        moves --output {place}/none/x.svg
        moves --output ''
        moves extra
    """,
    "settle": """
        settle
        settle --client 5.2
        settle --event crash
        settle --client node --event crash --mode 'push orderly'
        settle --client 5.2 --event crash --rate 5
        settle --client 5.2 --event crash --rate -5/s
        settle --client 5.2 --event crash --rate 999999999999/s
        settle --client 5.2 --event crash --busy -1
        settle --client 5.2 --event crash --busy BIG
        settle --client 5.2 --event crash --loop nan
        settle --client 5.2 --event crash --loop BIGs
        settle --client 5.2 --event crash --wait 1e5s
        settle --client 5.2 --event crash --client 4.9.8
    """,
    "safe": """
        safe
        safe --client 5.2 --listener BIGs
        safe --client 5.2 --listener -5s
        safe --table --client nosuch
        safe extra
    """,
    "check": """
        check ''
        check mine.py:
        check {place}:allocate
        check {place}/file:allocate
        check {place}/file:allocate --group ''
        check {place}/file:allocate --same-as ''
        check {place}/file:allocate --holds ,
        check {place}/file:allocate --queues ''
        check {place}/file:allocate --ids ''
        check {place}/file:allocate --ids {place}/zeros
        check {place}/file:allocate --brokers {place}/zeros
        check {place}/file:allocate --queues {place}/zeros
        check {place}/file:allocate --report ''
        check {place}/file:allocate --report ' '
        check {place}/file:allocate --write-test ''
        check --java '' --classpath {place}
    """,
    "folders": """
        audit {place}/file --report ''
        record --scenario ''
        record --read ''
        explore concurrent --report ''
        explore concurrent --itf ''
        prove allocation.avg.idle --baseline ''
    """,
    "others": """
        help a b
        help ''
        --version extra
        --nope
        -x
        ''
        nosuch
        explore
        explore nosuch
        explore ordered --consumers 99
        explore concurrent --fault zzz
        explore concurrent --levels 0
        explore concurrent --fault ,
        explore concurrent --queues 2 --queues 3
        show allocation.avg.covers --solver z3 --solver cvc5
        prove allocation.avg.idle --jobs 1 --jobs 2
        verify --output a --output b
        enumerate --queues 1 --queues 2
        conform --jobs 1 --jobs 2
        record --output a --output b
        replay nosuch --plain --plain
        audit {place}/file --group a --group b
        explore concurrent --memory 0
        explore concurrent --itf {place}/file
        explore concurrent --report {place}
        replay nosuch
        replay {place}
    """,
}
"""Calls by command. BIG is a number of 400 digits, {place} a folder with a file in it, and one of zeros."""


@pytest.mark.parametrize("family", CALLS)
def test_meaningless_calls_print_one_sentence(call, family, tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "zeros").write_bytes(b"\0" * 100 + b"\n")
    wrong = []
    for line in CALLS[family].strip().splitlines():
        words = [word.replace("BIG", BIG).format(place=tmp_path) for word in shlex.split(line)]
        called = call(*words)
        if "--version" in words:
            continue
        told = called.err.strip().splitlines()
        if called.status != 2 or called.out or len(told) != 1 or not told[0].startswith("rebalance: "):
            wrong.append((line, called))
    assert wrong == []
    assert {path.name for path in tmp_path.iterdir()} == {"file", "zeros"}


@pytest.mark.parametrize("words", ["x", BIG])
def test_meaningless_words_get_questions(call, words):
    called = call("why", words)
    assert (called.status, called.err) == (2, "")
    assert called.out.startswith("Understood: nothing.")
    assert "Which symptom do you see?" in called.out
