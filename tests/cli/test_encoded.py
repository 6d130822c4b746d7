"""All commands write JSON through one function."""

import json
from pathlib import Path

from rebalance_proofs.cli.encoded import encoded

CLI = Path(__file__).parent.parent.parent / "cli"


def test_json_is_indented_and_ascii():
    assert encoded({"group": "ä", "queues": [1]}) == '{\n  "group": "\\u00e4",\n  "queues": [\n    1\n  ]\n}'


def test_json_is_encoded_in_one_place():
    others = {path.stem for path in CLI.glob("*.py") if "json.dumps(" in path.read_text(encoding="utf-8")}
    assert others - {"encoded"} == {"explore", "replay"}  # they write, and read again, a trace's file
    assert json.loads(encoded([1, "a"])) == [1, "a"]
