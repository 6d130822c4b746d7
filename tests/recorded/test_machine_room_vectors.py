"""machine_room.tsv and machine_room_divergence.tsv: tampered, malformed and missing rows; numbering of rows."""

import pytest

from rebalance_proofs.recorded.machine_room import RoomRow, chosen_rooms, whole_set

NAMES = ["@broker-f", "broker-d", "room1@", "room1@broker-a", "room1@broker-e@x", "room1@broker-g@"]
KINDS = [f"#kind\t{digit}\t{name}" for digit, name in enumerate([*NAMES, "room2@broker-b", "room3@broker-c"])]
HEADER = "#mode\tconsumeridcs\tkinds_of_mqAll_in_order\tc\tpositions_per_consumer"
HEADER_DIVERGENCE = "#row (0-based among the data rows of machine_room.tsv)\tjava\tgo (= when same)\trust (= when same)"
ROWS = [
    "sorted\troom1\t0335\t2\t13|2",
    "seq\troom1+room2\t3163\t3\t0|2|3",
    "sorted\t<none>\t3\t1\t",
    "sorted\t<empty>+room3\t07\t2\t0|1",
]
DIVERGENCE = ["144\t\t0\t=", "230\t3||\t||\t||", "246\t03|1|2\t0|1|2\t0|1|2"]


@pytest.fixture
def vectors(write):
    """Writes both files; a test replaces the rows of some."""

    def write_vectors(rows=ROWS, divergence=DIVERGENCE, kinds=KINDS):
        write("machine_room.tsv", [*kinds, HEADER, *rows])
        write("machine_room_divergence.tsv", [HEADER_DIVERGENCE, *divergence])

    return write_vectors


def test_good_machine_room_vectors_agree(vectors, conformed):
    vectors()
    found = conformed()
    assert found.failures == ()
    assert [(report.file, report.rows, report.checks) for report in found.files] == [
        ("machine_room.tsv", 4, 4),
        ("machine_room_divergence.tsv", 3, 3 * 3),
    ]


def test_tampered_machine_room_row_is_detected(vectors, report_of):
    vectors(rows=[ROWS[0], "sorted\troom1\t0335\t2\t12|3"])
    (found,) = report_of("machine_room.tsv").disagreements
    assert (found.line, found.client, found.recorded, found.computed) == (11, "java", "12|3", "13|2")
    assert found.what == "MACHINE_ROOM of room1 with queues 0335, c=2"


@pytest.mark.parametrize(
    ("row", "client", "recorded", "computed"),
    [
        ("246\t03|2|1\t0|1|2\t0|1|2", "java", "03|2|1", "03|1|2"),
        ("246\t03|1|2\t=\t0|1|2", "go", "03|1|2", "0|1|2"),
        ("246\t03|1|2\t0|1|2\t=", "rust", "03|1|2", "0|1|2"),
        ("144\t\t0\t0", "rust", "0", ""),
    ],
)
def test_tampered_divergence_is_detected(row, client, recorded, computed, vectors, report_of):
    vectors(divergence=[*DIVERGENCE, row])
    report = report_of("machine_room_divergence.tsv")
    (found,) = report.disagreements
    assert (found.line, found.client, found.recorded, found.computed) == (5, client, recorded, computed)
    assert report.checks == 4 * 3


def test_divergence_of_another_row_is_detected(vectors, report_of):
    vectors(divergence=["250\t03|1|2\t0|1|2\t0|1|2"])
    found = report_of("machine_room_divergence.tsv").disagreements
    assert "java" in [disagreement.client for disagreement in found]


MALFORMED = {
    "sorted\troom1\t3\t1": "4 columns, expected 5",
    "mixed\troom1\t3\t1\t0": 'mode is "mixed", neither sorted nor seq',
    "sorted\troom1\t\t1\t": "0 queues, not 1 to 10",
    "sorted\troom1\t33333333333\t1\t": "11 queues, not 1 to 10",
    "sorted\troom1\t39\t1\t0": 'no #kind line defines kind "9"',
    "sorted\troom1\t3\tone\t0": 'c is "one", not a number',
    "sorted\troom1\t3\t2\t0": "positions_per_consumer has 1 consumers, c is 2",
    "sorted\troom1\t3\t999999999\t0": "positions_per_consumer has 1 consumers, c is 999999999",
    "sorted\troom1\t3\t1\tx": 'positions_per_consumer has position "x", not a digit',
    "sorted\troom1\t3\t1\t\u00b2": "not a digit",
    "sorted\troom1\t3\t1\t1": "positions_per_consumer has position 1, which is outside mqAll of 1 queues",
    "#kind\t9": 'the header "#kind\\t9" is neither a new kind nor the list of columns',
    "#kind\t10\tbroker": "is neither a new kind nor the list of columns",
    "#kind\t3\tbroker": "is neither a new kind nor the list of columns",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED.items(), ids=MALFORMED.values())
def test_malformed_machine_room_row_concerns_only_itself(row, what, vectors, conformed):
    vectors(rows=[ROWS[0], row, ROWS[1]])
    report, divergence = conformed().files
    (malformed,) = report.malformed
    assert malformed.line == 11
    assert what in malformed.what
    assert (report.checks, report.disagreements, divergence.failures) == (2, (), ())


MALFORMED_DIVERGENCE = {
    "144\t\t0": "3 columns, expected 4",
    "x\t\t0\t=": 'row (0-based among the data rows of machine_room.tsv) is "x"',
    "-1\t\t0\t=": "row is -1, the whole set has 30200 rows",
    "30200\t\t0\t=": "row is 30200, the whole set has 30200 rows",
    "144\t|\t0\t=": "java has 2 consumers, c is 1",
    "144\t\t4\t=": "go has position 4, which is outside mqAll of 4 queues",
    "144\t\t0\t==": 'rust has position "=", not a digit',
    "#row": "the header is not #row",
}


@pytest.mark.parametrize(("row", "what"), MALFORMED_DIVERGENCE.items(), ids=MALFORMED_DIVERGENCE.values())
def test_malformed_divergence_concerns_only_itself(row, what, vectors, report_of):
    vectors(divergence=[DIVERGENCE[0], row, DIVERGENCE[1]])
    report = report_of("machine_room_divergence.tsv")
    (malformed,) = report.malformed
    assert malformed.line == 3
    assert what.split(" is ")[-1] in malformed.what
    assert (report.checks, report.disagreements) == (6, ())


def test_kind_needed_by_the_divergence_only_is_read(vectors, report_of):
    vectors(rows=["sorted\t<none>\t3\t1\t"], kinds=KINDS[1:])
    report = report_of("machine_room_divergence.tsv")
    assert {malformed.what for malformed in report.malformed} == {'no #kind line of machine_room.tsv defines kind "0"'}


def test_divergences_without_kinds_are_one_failure(vectors, conformed, tmp_path):
    vectors()
    (tmp_path / "machine_room.tsv").unlink()
    found = conformed()
    assert "machine_room_divergence.tsv: cannot be checked without machine_room.tsv" in found.failures
    assert found.files[0].skipped == {"machine_room.tsv missing": 3}


def test_rows_without_divergences_are_checked(vectors, conformed, tmp_path):
    vectors()
    (tmp_path / "machine_room_divergence.tsv").unlink()
    assert conformed().green


def test_whole_set_has_the_expected_size():
    found = whole_set()
    sorted_rows = 7 * 4 * (8 + 36 + 120 + 330)
    assert len(found) == len(set(found)) == sorted_rows + 3 * 4 * (4 + 16 + 64 + 256 + 1024)
    assert found[0] == RoomRow("sorted", "<none>", "0", 1)
    assert found[5] == RoomRow("sorted", "room1", "0", 2)
    assert found[28] == RoomRow("sorted", "<none>", "00", 1)
    assert found[sorted_rows] == RoomRow("seq", "room1", "1", 1)
    assert found[-1] == RoomRow("seq", "room1+room2", "77777", 4)


def test_recorded_rows_have_the_order_of_the_whole_set(own_vectors):
    lines = (own_vectors / "machine_room.tsv").read_text(encoding="utf-8").splitlines()
    cells = [line.split("\t") for line in lines if not line.startswith("#")]
    rows = [RoomRow(mode, rooms, kinds, int(c)) for mode, rooms, kinds, c, _ in cells]
    numbers = [whole_set().index(row) for row in rows]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    ("text", "rooms"),
    [("<none>", []), ("<empty>", [""]), ("<empty>+room1", ["", "room1"]), ("room1+room2", ["room1", "room2"])],
)
def test_chosen_rooms_are_parsed(text, rooms):
    assert chosen_rooms(text) == rooms
