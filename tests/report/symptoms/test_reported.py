"""Kinds of reports of users: what comes first, what does not, and free text as the value of --client."""

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from rebalance_proofs.cli.why import why
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.symptoms.asked import asked

KINDS = tomllib.loads((Path(__file__).parent / "reported.toml").read_text(encoding="utf-8"))["kind"]


@pytest.mark.parametrize(
    ("kind", "text"), [(kind, text) for kind in KINDS for text in kind["texts"]], ids=lambda one: str(one)[:60]
)
def test_report_has_the_causes_of_its_kind(kind, text):
    found = CliRunner().invoke(why, [text, "--json"], standalone_mode=False)
    first = json.loads(found.output).get("first", [])
    assert found.return_value == kind.get("status", 0), first
    causes = first or [one["name"] for one in json.loads(found.output).get("causes", ())]
    assert {*causes}.isdisjoint(kind.get("never", ()))
    if kind.get("status"):
        assert not causes
    if kind.get("first"):
        assert causes[0] in kind["first"]
    if "among" in kind:
        assert not {*causes}.isdisjoint(kind["among"])


def test_wish_is_called_so():
    found = CliRunner().invoke(why, ["please add support for pausing consumption"], standalone_mode=False)
    assert "asks for a feature" in found.output


def test_more_consumers_than_queues_has_the_way_to_balance_per_message():
    found = CliRunner().invoke(why, ["超过队列数的消费者分不到队列", "--lang", "en"], standalone_mode=False)
    assert "gRPC" in found.output


CLIENTS = {
    "go v2.1.2 (master)": "go",
    "go 1.2.0 (cpp 1.2.2)": "go",
    "golang sdk 2.1.1 [latest]": "go",
    "cpp 2.2.0 on CentOS": "cpp",
    "python 2.0": "cpp",
    "Java client 5.1.4 (spring boot)": "5.1.4",
}


@pytest.mark.parametrize(("typed", "release"), CLIENTS.items())
def test_free_text_names_the_client_that_it_begins_with(typed, release):
    assert asked(typed, instead=True).release == release


@pytest.mark.parametrize(
    "typed", ["NewLife.RocketMQ (C#)", "php", "PHP 7.4 sdk", "nodejs @aliyunmq/mq-http-sdk 1.0", "C#"]
)
def test_client_that_is_not_modelled_has_one_clear_sentence(typed):
    found = CliRunner().invoke(why, ["messages are consumed twice", "--client", typed], standalone_mode=False)
    assert isinstance(found.exception, UsageError)
    assert str(found.exception) == f"{typed!r} is not modelled; without --client, the answer is about the Java client"


def test_misspelt_client_is_not_called_unmodelled():
    found = CliRunner().invoke(why, ["messages are consumed twice", "--client", "jva"], standalone_mode=False)
    assert "unknown client 'jva'" in str(found.exception)


def test_named_cause_without_a_claim_about_the_client_is_listed_with_a_note():
    text = "the consumer pulls every two minutes although the pull interval is set to an hour"
    found = CliRunner().invoke(why, [text, "--client", "4.9.2"], standalone_mode=False)
    assert "No claim about this cause covers Java 4.9.2" in found.output
    assert "1. expired-pull" in found.output


def test_grpc_client_is_not_taken_for_another_client_of_its_language():
    called = ["messages are lost", "--client", "python grpc 5.1.1", "--json"]
    found = CliRunner().invoke(why, called, standalone_mode=False)
    assert json.loads(found.output)["asked"]["client"] == "grpc-python 5.1.1"
