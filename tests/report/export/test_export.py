"""Exported tests: refusals, headers, and texts that their languages can parse."""

import ast
import re
import subprocess

import pytest

from rebalance_proofs.cli.main import main
from rebalance_proofs.model.receiving.releases import READ
from rebalance_proofs.model.receiving.sdks import PythonPushConsumerV5_1_2
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import LEDGER, only
from rebalance_proofs.report.export import receiving
from rebalance_proofs.report.export.export import LANGUAGES, export, languages
from rebalance_proofs.report.export.upstream import FAULTS, page
from rebalance_proofs.report.kinds import smallest
from tests.docs.test_shown import ROOT
from tests.each import each
from tests.report.export.cases import CASES
from tests.report.export.runs import require_tools

ONE = {
    "pytest": "receiving.python_v5_1_1.one-loop",
    "go": "receiving.go.unharmed",
    "node": "receiving.node.unsubscribed",
    "rust": "allocation.nearby-config.covers",
    "junit": "transition.java_v5_2.listener.push-orderly",
}
"""Language -> a claim with a test in it."""


@pytest.mark.parametrize(
    ("claim", "language", "words"),
    [
        ("allocation.avg.disjoint", "go", "allocation.avg.disjoint is proved: there is no counterexample"),
        ("receiving.go.unharmed", "pytest", "has no test writer for pytest; it has one for go"),
        ("allocation.hash.covers.without-virtual-nodes", "go", "it has one for junit, rust"),
        ("receiving.rust.apart", "rust", "has no test writer: no released client"),
        ("allocation.hash.balanced", "junit", "has no test writer"),
    ],
)
def test_claim_without_a_test_is_refused_with_a_sentence(claim, language, words):
    with pytest.raises(UsageError, match=re.escape(words)):
        export(only(claim), language)


def test_counterexample_with_more_than_the_fake_broker_gives_is_refused():
    """Its broker does not answer a query for the stored offset; exported without that, the test passed on 5.3.1."""
    with pytest.raises(UsageError, match="needs more than one plain queue"):
        export(only("transition.java_v5_2.no-stray-lock.push-orderly.when-unlocks-arrive"), "junit")


def status(call):
    """The exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(call)
    return ended.value.code or 0


def test_wrong_calls_have_exit_status_2(capsys):
    assert status(["export-test", "receiving.go.unharmd", "--for", "go"]) == 2
    assert "did you mean 'receiving.go.unharmed'?" in capsys.readouterr().err
    assert status(["export-test", "receiving.go.unharmed", "--for", "perl"]) == 2
    assert "'pytest'" in capsys.readouterr().err


@each("case", CASES)
def test_header_names_claim_release_and_command(case):
    claim = only(case.claim)
    test = export(claim, case.language)
    mark = LANGUAGES[case.language].comment
    head = [line.removeprefix(mark).strip() for line in test.text.split("\n\n")[0].splitlines()]
    text = " ".join(head)
    assert head[0] == f"Written by `rebalance export-test {case.claim} --for {case.language}`."
    assert " ".join(claim.sentence.split()) in text
    assert smallest(claim).sentence[1:] in text
    assert f"Release: {test.release}." in text
    assert (test.release.version in head[-1]) or test.beside, "the command or the project file has the version"
    assert test.name in head[-1]


@each("language", LANGUAGES)
def test_every_supported_claim_has_a_test(language):
    """Or its counterexample is refused with a sentence: it has more than a test can give."""
    claims = [claim for claim in LEDGER if language in languages(claim)]
    kinds = {claim.world.kind for claim in claims}
    assert claims
    for kind in kinds:
        claim = next(one for one in claims if one.world.kind == kind)
        assert export(claim, language).text.endswith("\n")


def test_python_test_is_python():
    ast.parse(export(only(ONE["pytest"]), "pytest").text)


CHECKS = {"go": ("gofmt", "-l"), "node": ("node", "--check")}
"""Language -> a command that fails, or prints the file's name, if the file is not well formed."""


@pytest.mark.parametrize("language", CHECKS)
def test_text_is_well_formed(language, tmp_path):
    require_tools(language)
    for case in CASES:
        if case.language == language:
            test = export(only(case.claim), language)
            (tmp_path / test.path).write_text(test.text, encoding="utf-8")
            done = subprocess.run([*CHECKS[language], test.path], cwd=tmp_path, capture_output=True, encoding="utf-8")
            assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_ill_formed_text_is_noticed(tmp_path):
    """A file with a brace too many."""
    require_tools("go")
    test = export(only(ONE["go"]), "go")
    (tmp_path / test.path).write_text(test.text + "}\n", encoding="utf-8")
    assert subprocess.run(["gofmt", "-l", test.path], cwd=tmp_path, capture_output=True).returncode != 0


def test_java_test_has_balanced_braces_and_its_class_name():
    test = export(only(ONE["junit"]), "junit")
    assert test.text.count("{") == test.text.count("}")
    assert test.path == "src/test/java/TransitionJavaV52ListenerPushOrderlyTest.java"
    assert "class TransitionJavaV52ListenerPushOrderlyTest {" in test.text


def test_files_are_written_and_foreign_ones_are_kept(tmp_path, capsys):
    call = ["export-test", ONE["rust"], "--for", "rust", "--output", str(tmp_path / "new")]
    assert status(call) == 0
    assert sorted(str(path.relative_to(tmp_path / "new")) for path in (tmp_path / "new").rglob("*.*")) == [
        "Cargo.toml",
        "src/lib.rs",
        "tests/allocation_nearby_config_covers.rs",
    ]
    capsys.readouterr()
    assert status(call) == 0
    assert capsys.readouterr().out.count("Kept ") == 3
    (tmp_path / "new" / "Cargo.toml").write_text("mine\n", encoding="utf-8")
    assert status(call) == 2
    assert "did not write it" in capsys.readouterr().err
    assert (tmp_path / "new" / "Cargo.toml").read_text(encoding="utf-8") == "mine\n"


def out(call, folder, capsys):
    """The exit status of an export into a folder, and its error output."""
    capsys.readouterr()
    claim, language = call
    return status(["export-test", claim, "--for", language, "--output", str(folder)]), capsys.readouterr().err


NODES = "allocation.hash.covers.without-virtual-nodes"


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (
            ("receiving.java.unsubscribed", "junit"),
            (NODES, "junit"),
            "does not name org.apache.rocketmq:rocketmq-client 5",
        ),
        (
            (NODES, "junit"),
            ("receiving.java.unsubscribed", "junit"),
            "does not name org.apache.rocketmq:rocketmq-client-java",
        ),
        (("allocation.room-go.listed", "go"), (ONE["go"], "go"), "is of the Go package exported, not golang"),
        ((ONE["go"], "go"), ("allocation.room-go.listed", "go"), "is of the Go package golang, not exported"),
    ],
)
def test_folder_with_tests_of_another_client_is_refused(first, second, why, tmp_path, capsys):
    assert out(first, tmp_path, capsys) == (0, "")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    ended, said = out(second, tmp_path, capsys)
    assert (ended, len(said.splitlines())) == (2, 1)
    assert why in said
    assert "name another folder" in said
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()} == before


def test_project_file_of_the_same_client_is_kept(tmp_path, capsys):
    """Go adds requirements to go.mod; Maven's command names the release."""
    assert out(("allocation.room-go.listed", "go"), tmp_path / "go", capsys) == (0, "")
    module = tmp_path / "go" / "go.mod"
    text = module.read_text(encoding="utf-8") + "\nrequire golang.org/x/text v0.3.0 // indirect\n"
    module.write_text(text, encoding="utf-8")
    assert out(("allocation.room-go.disjoint.with-a-room-twice", "go"), tmp_path / "go", capsys) == (0, "")
    assert module.read_text(encoding="utf-8") == text
    for claim in (NODES, "transition.java_v4_9.offset-kept.push-orderly"):
        assert out((claim, "junit"), tmp_path / "java", capsys) == (0, "")


def test_other_release_in_a_project_file_is_refused(tmp_path, capsys):
    call = (ONE["rust"], "rust")
    assert out(call, tmp_path, capsys) == (0, "")
    project = tmp_path / "Cargo.toml"
    project.write_text(project.read_text(encoding="utf-8").replace("=1.0.0", "=0.9.0"), encoding="utf-8")
    ended, said = out(call, tmp_path, capsys)
    assert (ended, "does not name rocketmq-model 1.0.0" in said) == (2, True)


def test_edited_test_is_not_overwritten(tmp_path, capsys):
    call = (ONE["pytest"], "pytest")
    assert out(call, tmp_path, capsys) == (0, "")
    (path,) = tmp_path.glob("*.py")
    path.write_text(path.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    ended, said = out(call, tmp_path, capsys)
    assert ended == 2
    assert "differs from the test to write; remove it, or name another folder" in said
    assert path.read_text(encoding="utf-8").endswith("# mine\n")


def test_output_below_a_file_is_refused_as_such(tmp_path, capsys):
    (tmp_path / "afile").write_text("", encoding="utf-8")
    ended, said = out((ONE["pytest"], "pytest"), tmp_path / "afile" / "sub", capsys)
    assert ended == 2
    assert f"{str(tmp_path / 'afile')!r} is not a folder" in said


@each("language", LANGUAGES)
def test_header_names_the_files_that_the_command_needs(language):
    test = export(only(ONE[language]), language)
    head = test.text.split("\n\n")[0]
    assert ("which --output DIR also writes" in head) is bool(test.beside)
    assert all(name in head for name in test.beside)


def test_steps_are_those_of_the_counterexample():
    claim = only("receiving.node.stopped.without-in-time")
    assert receiving.steps(smallest(claim)) == (
        ("scan", "T", ()),
        ("shutdown", "T", ()),
        ("answer", "T", (0, 1)),
    )


def test_steps_of_an_exported_test_break_only_the_faulty_client():
    """The model of the mended client has one receive loop after the same steps."""
    for made, expected in ((only(ONE["pytest"]).subjects[0].made, 2), (PythonPushConsumerV5_1_2, 1)):
        consumer = made()
        for _, topic, numbers in receiving.steps(smallest(only(ONE["pytest"]))):
            consumer.on_success(topic, frozenset((topic, number) for number in numbers))
        assert consumer.process_queue_table["T", 0].loops == expected


# ---- The page of faults


def test_upstream_page_is_up_to_date():
    assert (ROOT / "docs" / "reference" / "upstream.md").read_text(encoding="utf-8") == page()


def test_every_listed_fault_is_run():
    """Each has a case, which fails on the faulty release and passes where it is mended."""
    assert {(fault.claim, fault.language) for fault in FAULTS} <= {(case.claim, case.language) for case in CASES}


def test_faults_without_a_fix_or_an_issue_have_a_report():
    titles = re.findall(r"^### (.*)$", page(), re.MULTILINE)
    assert titles == [fault.title for fault in FAULTS if not fault.fixed and not fault.issue]
    assert len({*titles}) == len(titles)


def numbers(text):
    """The releases in a text, as tuples."""
    return [tuple(map(int, one.split("."))) for one in re.findall(r"\d+\.\d+\.\d+", text)]


@each("fault", [fault for fault in FAULTS if fault.claim.startswith("receiving.")])
def test_affected_releases_are_those_of_the_claim(fault):
    subject, affected = fault.claim.split(".")[1], numbers(fault.affected)
    read = [
        one
        for versions in READ.values()
        for version, name in versions.items()
        if name == subject
        for one in numbers(version)
    ]
    assert read
    assert min(affected) <= min(read)
    assert max(affected) == max(read)


def test_reports_about_an_overflow_name_its_place():
    for fault in (fault for fault in FAULTS if "overflow" in fault.title):
        (report,) = (part for part in page().split("### ") if part.startswith(fault.title))
        assert "expired` subtracts `cacheFullNanoTime`" in report


def test_reports_about_no_virtual_nodes_let_the_constructor_reject_them():
    found = [part for part in page().split("### ") if "-virtual-nodes --for" in part and "**Expected:**" in part]
    assert len(found) == 3
    assert all("**Expected:** The strategy cannot be created with 0 virtual nodes, or" in part for part in found)
