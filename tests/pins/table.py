"""The table of all pinned files."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any

from tests.pins import shipped
from tests.pins.parts import CALL, HEADING, by_claim, headed, of_json, of_packed
from tests.pins.pin import FOLDER, ROOT, Parts, Pin

Reader = Callable[[bytes], Parts]
CALLS = ("settle", "moves", "shares", "safe", "list", "why", "replay", "explore", "large", "audits", "exported")
"""Golden texts with a heading for each call of a command."""
GOLDEN: Mapping[str, tuple[Reader, str]] = {
    **{name: (headed(CALL), "calls") for name in CALLS},
    **{name: (headed(), "claims") for name in ("groups", "runs", "worlds", "ways", "searches", "traces")},
    **{name: (headed(separator=", "), "claims and clients") for name in ("texts", "asked")},
    **{name: (headed(HEADING), "calls and runs") for name in ("pages", "reports")},
    "checked": (headed(HEADING), "strategies"),
    "signs": (headed(r"(\d+\.)"), "printed tables"),
    "sources": (headed(), "sources and scopes"),
    "figures": (headed(HEADING), "diagrams and groups"),
    "options": (headed(), "options"),
    "recordings": (headed(r"(java-\S+/\S+)(.*)"), "recordings"),
    "own": (headed(), "strategies"),
    "monitors": (headed(r" {0,2}(\S.+?)(?:: (.*)|, .*| on which .*)"), "monitored events"),
    "reality": (headed(r"(#+ .*)"), "sections"),
    "lived": (headed(HEADING), "recordings and kinds of facts"),
    "symptoms": (headed(separator=", "), "causes and symptoms"),
    "findings": (headed(HEADING), "audits"),
}
"""Golden text -> reader of its parts, and what the parts are."""


def _called(module: str, function: str) -> bytes:
    """Call a function that returns a JSON document; it is imported only now, because that takes seconds."""
    import json

    return (json.dumps(getattr(import_module(module), function)(), indent=1) + "\n").encode()


def _golden(name: str) -> bytes:
    from tests.golden.kept import written

    return written(name).encode()


def _decided() -> bytes:
    from tests.weakened.decided import written_pin

    return written_pin()


def _made(name: str, module: str, function: str, reader: Reader, noun: str) -> Pin:
    return Pin(name, FOLDER / f"{name}.json", partial(_called, module, function), reader, noun)


def _shipped(name: str, file: str, reader: Reader, noun: str, stays: str, slow: str = "") -> Pin:
    computed: Any = getattr(shipped, name)
    return Pin(name, ROOT / file, computed, reader, noun, stays, slow)


SHIPPED = (
    _shipped("commands", "cli/completion/commands.json", of_json(2), "commands", "shell completion reads it"),
    _shipped("knowledge", "recorded/knowledge/compiled.json", of_json(2), "entries", "`why` and `audit` read it"),
    _shipped("statements", "recorded/knowledge/statements.json", of_json(1), "statements", "`audit` reads it"),
    _shipped("questions", "recorded/knowledge/questions.json", of_json(1), "weights", "`why` reads it"),
    _shipped("vectors", "recorded/vectors/pinned.json", of_json(1), "files", "`conform` and `list` read it"),
    _shipped(
        "observed", "report/reality/pinned.json", of_json(3), "claims of recordings", "`list` reads it", "minutes"
    ),
    _shipped("observed_sdks", "report/reality/sdks.json", of_json(3), "claims of recordings", "`list` reads it"),
    _shipped("index", "report/index/index.json", of_json(2), "claims", "most commands read it"),
    _shipped(
        "two_events", "report/ordered/two_events.json", of_json(2), "times", "`settle` and `safe` read it", "minutes"
    ),
    _shipped("explored", "evidence/recorded_groups.json", of_json(2), "groups", "`verify` compares with it", "minutes"),
    _shipped("digests", "evidence/recorded_digests.json", of_json(2), "spaces", "`verify` compares with it", "hours"),
    _shipped(
        "models", "proofs/models/recorded.json.gz", of_packed, "subjects", "`prove` evaluates them", "many minutes"
    ),
    _shipped(
        "mutants", "proofs/mutation/recorded_runs.json", of_json(2), "runs", "`prove` replays them", "many minutes"
    ),
    _shipped(
        "certified",
        "proofs/certified/recorded.json",
        of_json(1),
        "claims",
        "the ledger's pages show it",
        "many minutes",
    ),
)
"""Files of the package, in the order in which one is computed from another."""
OWN = (
    _made("obligations", "tests.proofs.listed_obligations", "listed", by_claim, "claims"),
    _made("least_numbers", "tests.proofs.premises_allow", "pinned", of_json(1), "obligations"),
    _made("self_tests", "tests.evidence.said_by_self_tests", "said", of_json(1), "self-tests"),
    *(Pin(name, FOLDER / f"{name}.txt", partial(_golden, name), *of) for name, of in GOLDEN.items()),
    Pin("decided", FOLDER / "decided.json", _decided, of_json(3), "formulas", "", "many minutes"),
    _made("excluded", "tests.machines.narrowed", "narrowed", of_json(2), "worlds of clients"),
    _made("excluded_beside", "tests.machines.narrowed", "premises", of_json(1), "claims"),
)
"""Files that only tests read."""
PINS: Mapping[str, Pin] = {pin.name: pin for pin in (*SHIPPED, *OWN)}
"""Name of a pin -> the pin, in the order in which they are written."""
