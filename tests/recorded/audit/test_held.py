"""A log checked against the model: real logs have a behaviour, changed or incomplete logs have none."""

import gzip
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.recorded.audit.audit import audit, read_part
from rebalance_proofs.recorded.audit.finding import What
from rebalance_proofs.recorded.audit.held import ADDED, NOT_ADDED, REMOVED, held, relation
from rebalance_proofs.recorded.audit.outcome import Asked
from rebalance_proofs.recorded.logs.fact import Fact, Kind
from rebalance_proofs.recorded.logs.reading import Clock, Tally
from rebalance_proofs.recorded.logs.sources import sources
from tests.recorded.audit.audited import LOGS

WHOLE = Tally(lines=1000, dated=1000, told=100)
CHANGES = (Kind.ADDED, Kind.REMOVED)


def logs(tmp_path):
    """(file, its facts, group) of each recorded log of a member."""
    for path in sorted(LOGS.glob("java*/*/*.gz")):
        (source,), _ = sources([str(path)], tmp_path)
        facts, tally, _ = read_part(source, Clock(), 0, None)
        for group in sorted({one.group for one in facts if one.kind is Kind.RESULT}):
            yield path.name, facts, tally, group


def test_real_log_has_a_behaviour_of_the_model(tmp_path):
    every = [held(group, [(name, facts)], [tally]) for name, facts, tally, group in logs(tmp_path)]
    assert len(every) == 9
    assert [one for one in every if one.why or one.unexplained] == []
    assert sum(one.lines for one in every) > 200


def altered(facts, place, one):
    return [*facts[:place], *([one] if one else []), *facts[place + 1 :]]


@pytest.mark.parametrize("how", ["taken out", "another queue"])
def test_altered_queue_line_has_no_behaviour(tmp_path, how):
    """Every line of concurrent consumers, as far as the table was known; most lines of ordered consumers."""
    noticed, tried = 0, 0
    for name, facts, tally, group in logs(tmp_path):
        unknown = held(group, [(name, facts)], [tally]).widened
        ordered = any(one.kind is Kind.LOCKED and one.group == group for one in facts)
        for place, one in enumerate(facts):
            if one.group != group or one.kind not in CHANGES or one.more:
                continue
            topic, broker, number = one.queue
            other = None if how == "taken out" else one._replace(queue=(topic, broker, number + 1))
            found = held(group, [(name, altered(facts, place, other))], [tally]).unexplained
            assert found or ordered or unknown, (name, one)
            noticed, tried = noticed + bool(found), tried + 1
    assert tried > 90
    assert noticed > 0.6 * tried


def test_result_with_other_queues_has_no_behaviour(tmp_path):
    tried = 0
    for name, facts, tally, group in logs(tmp_path):
        if held(group, [(name, facts)], [tally]).widened or any(one.kind is Kind.LOCKED for one in facts):
            continue
        for place, one in enumerate(facts):
            if one.group == group and one.kind is Kind.RESULT:
                moved = one._replace(queues=tuple((topic, broker, number + 1) for topic, broker, number in one.queues))
                found = held(group, [(name, altered(facts, place, moved))], [tally]).unexplained
                assert any(each.where == (name, one.line) for each in found)
                tried += 1
    assert tried >= 8


def test_unexplained_line_is_reported_with_missing_causes(tmp_path):
    """An addition of c0 is removed: the next result has a queue that is neither in the table nor added."""
    folder = tmp_path / "logs"
    folder.mkdir()
    with gzip.open(LOGS / "java-4.9.8" / "b_sigstop" / "c0-rocketmq_client.log.gz", "rt", encoding="utf-8") as opened:
        lines = list(opened)
    place = max(at for at, line in enumerate(lines) if "add a new mq, MessageQueue [topic=T1, " in line)
    (folder / "c0.log").write_text("".join(lines[:place] + lines[place + 1 :]), "utf-8")
    found, _ = sources([str(folder)], tmp_path)
    (group,) = [one for one in audit(found, Asked(model=True)).groups if one.name == "G"]
    (one,) = [each for each in group.findings if each.what is What.MODEL]
    file, number = one.evidence[0]
    text = (folder / "c0.log").read_text("utf-8").split("\n")[number - 1]
    assert file.endswith("c0.log")
    assert "rebalanced result changed" in text
    assert "neither in the table nor added" in one.detail
    assert "the line about its addition is missing" in one.detail
    assert audit(found, Asked()).groups[0].coverage[0].held is None


def queue(number):
    return "T", "b", number


def fact(kind, line, at, **more):
    known = {"group": "G", "topic": "T", "last_line": line, "until": at}
    return Fact(kind, line, at, **{**known, **more})


LETTERS = {ADDED: Kind.ADDED, REMOVED: Kind.REMOVED, NOT_ADDED: Kind.DENIED}


@settings(deadline=None, max_examples=60)
@given(st.data(), st.booleans())
def test_generated_model_runs_are_explained(data, ordered):
    """Tables with any first content, and rebalances of the model, logged where they change something."""
    table = set(data.draw(st.sets(st.integers(0, 5))))
    facts, at = [], 1_000_000
    if ordered:
        facts.append(fact(Kind.LOCKED, 1, at, queue=queue(0)))
    for _ in range(data.draw(st.integers(1, 8))):
        at += 20_000
        mine = data.draw(st.sets(st.integers(0, 5)))
        changed = False
        for number in range(6):
            possible = sorted(relation(ordered, number in table, number in mine))
            lines, there = data.draw(st.sampled_from(possible))
            for letter in lines:
                at += 1
                facts.append(fact(LETTERS[letter], len(facts) + 1, at, queue=queue(number)))
                changed = changed or letter != NOT_ADDED
            (table.add if there else table.discard)(number)
        if changed:
            result = {
                "client": "c",
                "more": "AVG",
                "numbers": (6, 1, len(mine)),
                "queues": tuple(map(queue, sorted(mine))),
            }
            facts.append(fact(Kind.RESULT, len(facts) + 1, at, **result))
    found = held("G", [("c.log", facts)], [WHOLE])
    assert found.unexplained == ()


RESULT = fact(Kind.RESULT, 3, 1_000_010, client="c", more="AVG", numbers=(1, 1, 1), queues=(queue(0),))
PLAIN = [fact(Kind.ADDED, 2, 1_000_000, queue=queue(0)), RESULT]
UNFIT = {
    "no lines about added queues": ([RESULT], WHOLE),
    "not from a Java client": ([PLAIN[0], RESULT._replace(more="")], WHOLE),
    "several clients wrote": ([*PLAIN, RESULT._replace(line=4, client="d")], WHOLE),
    "some lines could not be parsed": (PLAIN, replace(WHOLE, cut=1)),
    "an excerpt of a log": (PLAIN, replace(WHOLE, told=999)),
}


@pytest.mark.parametrize("why", UNFIT)
def test_logs_that_cannot_be_compared_are_reported(why):
    facts, tally = UNFIT[why]
    found = held("G", [("c.log", facts)], [tally])
    assert why in found.why
    assert found.unexplained == ()


def again(*more):
    """The same queue is added once more, after these."""
    later = [one._replace(line=10 + place, at=1_060_000) for place, one in enumerate(more)]
    return [*PLAIN, *later, fact(Kind.ADDED, 20, 1_100_000, queue=queue(0))]


HEARD = fact(Kind.HEARD, 1, 1_000_000, group="", topic="", until=1_050_000)
EXCUSED = {
    "a removal": [fact(Kind.REMOVED, 0, 0, queue=queue(0))],
    "a shutdown": [fact(Kind.SHUT, 0, 0)],
    "a start": [fact(Kind.BEGAN, 0, 0)],
    "a new instance": [fact(Kind.CREATED, 0, 0, group="")],
    "a reset": [fact(Kind.RESET, 0, 0)],
    "an offset that was illegal": [fact(Kind.ILLEGAL, 0, 0, queue=queue(0))],
}


@pytest.mark.parametrize("what", EXCUSED)
def test_unlogged_actions_are_allowed(what):
    assert held("G", [("c.log", again())], [WHOLE]).unexplained
    assert held("G", [("c.log", again(*EXCUSED[what]))], [WHOLE]).unexplained == ()


def test_silence_other_files_and_repeated_lines_are_allowed():
    silent = [HEARD, *again(), HEARD._replace(line=20, at=1_100_000, until=1_100_000)]
    found = held("G", [("c.log", silent)], [WHOLE])
    assert found.unexplained == ()
    assert dict(found.widened)["silences"] == 1
    assert held("G", [("c.log.1", PLAIN), ("c.log", again()[-1:])], [WHOLE]).unexplained == ()
    twice = [PLAIN[0], PLAIN[0]._replace(line=3, at=1_000_001), RESULT._replace(line=4), RESULT._replace(line=5)]
    found = held("G", [("c.log", twice)], [WHOLE])
    assert found.unexplained == ()
    assert dict(found.widened)["lines written twice"] == 2


def test_commit_long_after_a_removal_is_unexplained():
    gone = [*PLAIN, fact(Kind.REMOVED, 5, 1_050_000, queue=queue(0))]
    commit = fact(Kind.COMMITTED, 6, 1_060_000, client="c", queue=queue(0), numbers=(1, 1))
    assert held("G", [("c.log", [*gone, commit])], [WHOLE]).unexplained == ()
    (one,) = held("G", [("c.log", [*gone, commit._replace(at=1_200_000)])], [WHOLE]).unexplained
    assert "its offset is committed" in one.words


def test_missing_result_is_reported_at_the_next_change():
    later = [fact(Kind.ADDED, 8, 1_080_000, queue=queue(1)), fact(Kind.REMOVED, 9, 1_090_000, queue=queue(1))]
    facts = [*PLAIN, *later, RESULT._replace(line=10, at=1_090_001)]
    (one,) = held("G", [("c.log", facts)], [WHOLE]).unexplained
    assert (one.queue, one.where) == (queue(1), ("c.log", 10))
    assert "come from several rebalances" in one.words
    assert "a result between is missing" in one.fault
    broke = fact(Kind.BROKE, 7, 1_080_000, group="", topic="")
    assert held("G", [("c.log", [*facts, broke])], [WHOLE]).unexplained == ()


def test_result_without_a_cause_is_unexplained():
    later = RESULT._replace(line=9, at=1_090_000)
    (one,) = held("G", [("c.log", [*PLAIN, later])], [WHOLE]).unexplained
    assert (one.queue, one.where) == (None, ("c.log", 9))
