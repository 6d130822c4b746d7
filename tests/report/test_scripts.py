"""The page's script: small files that are included unchanged."""

import shutil
import subprocess
from base64 import b64decode
from hashlib import sha256

import pytest

from rebalance_proofs.report.html import FOLDER, script

FILES = sorted(FOLDER.glob("*.js"))
LONG = 160
"""Lines in a file, at most."""


def test_all_scripts_are_in_the_page():
    assert FILES
    assert all(file.read_text(encoding="utf-8") in script().text for file in FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_script_is_small_and_safe_inside_a_page(file):
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONG
    # What ends a script, or begins a comment of HTML inside one; and what makes text into HTML or code.
    for word in ("</script", "<!--", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http"):
        assert word not in text


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_script_has_valid_syntax(file, tmp_path):
    node = shutil.which("node")
    if not node:
        pytest.skip("no node on this machine to check the syntax of scripts with")
    subprocess.run([node, "--check", str(file)], check=True, timeout=60)


def test_joined_scripts_have_valid_syntax(tmp_path):
    node = shutil.which("node")
    if not node:
        pytest.skip("no node on this machine to check the syntax of scripts with")
    whole = tmp_path / "whole.js"
    whole.write_text(script().text, encoding="utf-8")
    subprocess.run([node, "--check", str(whole)], check=True, timeout=60)


def test_script_fingerprint_is_a_sha256():
    kind, _, told = script().fingerprint.partition("-")
    assert kind == "sha256"
    assert b64decode(told) == sha256(script().text.encode()).digest()
