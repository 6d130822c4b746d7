"""Each field of each JSON document has two results whose documents differ in it."""

from fnmatch import fnmatchcase
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.schemas import published
from tests.documents.pairs import line, table, way_of
from tests.documents.reasons import CONSTANT, MOST_OPEN, OPEN
from tests.documents.subjects import SUBJECTS

TABLE = table()


@pytest.mark.parametrize("name", SUBJECTS)
def test_fields_differ_in_their_pairs(name):
    """A field that is a constant, or is computed from another value, does not differ as its line says."""
    subject = SUBJECTS[name]
    found = {field: line(subject, way_of(said), field) for field, said in TABLE[name].items()}
    assert found == TABLE[name]


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_field_has_a_pair_or_a_reason(name):
    fields = {*SUBJECTS[name].keys.every}
    constant = {*CONSTANT[""], *CONSTANT.get(name, ())}
    assert {*TABLE[name]} <= fields
    assert not {*TABLE[name]} & constant
    lacking = fields - {*TABLE[name]} - constant
    reasons = {pattern: [field for field in lacking if fnmatchcase(field, pattern)] for pattern in OPEN.get(name, ())}
    assert lacking == {field for of_one in reasons.values() for field in of_one}
    assert all(reasons.values())
    assert len(lacking) <= MOST_OPEN.get(name, 0)


def test_every_schema_has_a_table():
    folder = files("rebalance_proofs.report").joinpath("schema")
    schemas = {file.name.removesuffix(".schema.json") for file in folder.iterdir()}
    assert {subject.schema for subject in SUBJECTS.values()} == schemas
    assert {*TABLE} == {*SUBJECTS}


@pytest.mark.parametrize("name", SUBJECTS)
def test_first_document_of_each_kind_follows_its_schema(name):
    subject = SUBJECTS[name]
    first = subject.of(next(iter(subject.asked)))
    Draft202012Validator(published(subject.schema)).validate(first)
