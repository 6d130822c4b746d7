"""Construction of a strategy, and the messages if it fails."""

import sys
import zipfile
from pathlib import Path

import pytest

from rebalance_proofs.model.own.call import EXITS, NOT_A_LIST, Call, Gave, Refused
from rebalance_proofs.model.own.java.protocol import Made
from rebalance_proofs.model.own.java.worker import NULL_CONSTRUCTION as NULL
from rebalance_proofs.model.own.java.worker import JavaWorker, new, queues, rooms, text, texts, with_
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.queues import MessageQueue, one_broker
from tests.model.own.orphaned import outlives

pytestmark = pytest.mark.usefixtures("light")
CALL = Call("GID", "c0", one_broker(3), ("c0",))


def said(classes: str, name: str, *arguments: str, **options: object) -> str:
    """What the strategy was given, which it answers."""
    with JavaWorker(f"acme.Made${name}", classes, arguments, **options) as worker:
        (outcome,) = worker.answers([CALL])
        return outcome.queues[0].topic


def complaint(classes: str, name: str, *arguments: str, **options: object) -> str:
    with pytest.raises(StrategyError) as raised, JavaWorker(name, classes, arguments, **options):
        pass
    return str(raised.value)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((), "none"),
        (("7",), "int 7"),
        (("seven",), "text seven"),
        (("ü \n", "-1", "0.5", "true"), "ü \n -1 0.5 true"),
        (("NEW", "BLOCKED"), "NEW BLOCKED"),
    ],
)
def test_constructor_arguments_are_converted(java_classes, arguments, expected):
    assert said(java_classes, "Arguments", *arguments) == expected


def test_properties_of_a_constructed_strategy_are_reported(java_classes):
    with JavaWorker("acme.Made$Arguments", java_classes, ["a", "1", "2", "true"]) as worker:
        queue = "org.apache.rocketmq.common.message.MessageQueue"
        assert worker.made == Made(queue, ("java.lang.String", "long", "double", "boolean"))
    with JavaWorker("acme.Made$OfOtherQueues", java_classes) as worker:
        assert worker.made == Made("acme.Made$OtherQueue", ())


def test_strategy_with_parts_is_constructed(java_classes):
    name = "acme.Made$Arguments"
    parts = new(name, rooms({"a": "room1"}), texts(["a", "b"]), queues([MessageQueue("T", "b", 1)]))
    expected = "a in room1, b in null, [MessageQueue [topic=T, brokerName=b, queueId=1]]"
    assert said(java_classes, "Arguments", construction=parts) == expected
    assert (
        said(java_classes, "Arguments", construction=with_(new(name, text("x")), "setSaid", texts(["y"])))
        == "text x[y]"
    )
    wrong = complaint(java_classes, name, construction=new(name, NULL, NULL, text("3"), NULL))
    assert "has no constructor that accepts these 4 arguments" in wrong


def test_non_public_class_is_constructed(java_classes):
    assert said(java_classes, "Hidden") == "hidden"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Raw", Gave(CALL.mq_all)),
        ("OfInterface", Gave(CALL.mq_all)),
        ("OfOtherQueues", Gave(CALL.mq_all[1:])),
        ("Loose", Refused(NOT_A_LIST, "returns a java.lang.String instead of a list")),
    ],
)
def test_queue_class_is_found_in_the_signature(java_classes, name, expected):
    with JavaWorker(f"acme.Made${name}", java_classes) as worker:
        assert worker.answers([CALL]) == [expected]
        assert worker.name == f"acme.Made${name}"


CONSTRUCTORS = (
    "Arguments(), Arguments(Function, Collection, List), Arguments(State, State), Arguments(String), "
    "Arguments(String, long, double, boolean), Arguments(int)"
)
WRONG = {
    ("acme.Nowhere",): "there is no class acme.Nowhere on the classpath",
    ("acme/Behaves",): "there is no class acme/Behaves on the classpath",
    (
        "acme.Made$Arguments",
        "1",
        "2",
        "3",
    ): f"acme.Made$Arguments has no constructor that accepts these 3 arguments; it has {CONSTRUCTORS}",
    (
        "acme.Made$Arguments",
        "a",
        "b",
        "0.5",
        "true",
    ): f"acme.Made$Arguments has no constructor that accepts these 4 arguments; it has {CONSTRUCTORS}",
    ("acme.Made$Once",): "acme.Made$Once has no constructor without arguments; it has Once(String)",
    ("acme.Made$Base", "1"): "acme.Made$Base has no constructor that accepts this argument; it has Base()",
    ("acme.Made$Abstract",): "acme.Made$Abstract is abstract: name a class that can be constructed",
    ("acme.Made$Generic",): "acme.Made$Generic is abstract: name a class that can be constructed",
    ("acme.Made$NoAllocate",): "acme.Made$NoAllocate has no allocate(String consumerGroup, String currentCID, "
    "List<MessageQueue> mqAll, List<String> cidAll)",
    ("acme.Made$OfTexts",): "its allocate uses queues of java.lang.String, which lacks a constructor like "
    "MessageQueue(String topic, String brokerName, int queueId), or getTopic, getBrokerName or getQueueId",
    ("acme.Made$NeedsWhatIsNotThere",): "acme.Made$NeedsWhatIsNotThere needs acme.Made$Absent, which is not on the "
    "classpath",
    ("acme.Made$StaticInitialiser",): "the static initialiser of acme.Made$StaticInitialiser throws "
    'java.lang.NumberFormatException: For input string: "many" (Made.java:68)',
    ("acme.Made$Throws",): "the constructor of acme.Made$Throws throws java.lang.IllegalArgumentException: not today "
    "(Made.java:73)",
    ("acme.Made$Exits",): "acme.Made$Exits cannot be constructed: it ends its process with status 7",
}


@pytest.mark.parametrize("typed", WRONG)
def test_invalid_strategy_prints_one_sentence(java_classes, typed):
    assert complaint(java_classes, *typed) == WRONG[typed]


def test_endless_constructor_is_ended(java_classes, monkeypatch):
    monkeypatch.setattr("rebalance_proofs.model.own.java.child.START", 1.0)
    found = complaint(java_classes, "acme.Made$Hangs", limit=0.5)
    assert found == "acme.Made$Hangs cannot be constructed: it has not returned after 1.5 s"


def test_failed_second_construction_is_reported_at_the_next_call(java_classes, tmp_path):
    with JavaWorker("acme.Made$Once", java_classes, [str(tmp_path / "made")]) as worker:
        assert worker.answers([CALL, CALL._replace(current_cid="exits"), CALL])[-1].kind == EXITS
        assert worker.answers([CALL]) == [
            Refused(
                EXITS,
                "ended its process, and cannot be constructed again: the constructor of acme.Made$Once throws "
                "java.lang.IllegalStateException: made twice (Made.java:93)",
            )
        ]


def test_class_for_a_newer_java_is_reported(java_classes, tmp_path):
    code = bytearray((Path(java_classes) / "acme" / "Behaves.class").read_bytes())
    code[6:8] = (500).to_bytes(2, "big")
    (tmp_path / "acme").mkdir()
    (tmp_path / "acme" / "Behaves.class").write_bytes(code)
    assert complaint(str(tmp_path), "acme.Behaves").startswith(
        "acme.Behaves was compiled for a newer Java than the one that runs here, "
    )


def test_jar_and_folder_of_jars_are_accepted(java_classes, tmp_path):
    jar = tmp_path / "mine.jar"
    with zipfile.ZipFile(jar, "w") as packed:
        for file in Path(java_classes).rglob("*.class"):
            packed.write(file, file.relative_to(java_classes))
    assert said(str(jar), "Arguments") == "none"
    assert said(f"{tmp_path}/*", "Arguments") == "none"


def test_missing_classpath_entry_is_reported(tmp_path):
    (tmp_path / "text.jar").write_text("no jar", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    for typed, expected in {
        "": "the classpath is empty; name the jars and folders that contain the strategy",
        f"{tmp_path}:": f"the classpath '{tmp_path}:' has an empty entry; remove the extra separator",
        f"{tmp_path}:{tmp_path}/mine.jar": f"the classpath entry '{tmp_path}/mine.jar' does not exist",
        f"{tmp_path}/lib/*": f"the classpath entry '{tmp_path}/lib/*' names jars in '{tmp_path}/lib', "
        "which is not a folder",
        f"{tmp_path}/empty/*": f"the classpath '{tmp_path}/empty/*' names no jar: its folder contains none",
        f"{tmp_path}/text.jar": f"the classpath entry '{tmp_path}/text.jar' is neither a folder nor a jar",
    }.items():
        with pytest.raises(StrategyError) as raised:
            JavaWorker("acme.Mine", typed)
        assert str(raised.value) == expected


def test_missing_java_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(StrategyError) as raised:
        JavaWorker("acme.Mine", str(tmp_path))
    assert str(raised.value) == f"acme.Mine needs Java, which was not found under JAVA_HOME={tmp_path}"


def test_failed_jvm_start_is_reported(java_classes):
    found = complaint(java_classes, "acme.Behaves", memory_mb=1)
    assert found.startswith("the JVM did not start: Error occurred during initialization of VM")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
def test_jvm_ends_with_a_killed_parent(java_classes):
    opened = f"JavaWorker('acme.Behaves', {java_classes!r}, limit=600)"
    assert not outlives(opened, "Call('GID', 'loops', one_broker(3), ('c0',))")
