"""Each field of each JSON document has two results whose documents differ in it."""

from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from rebalance_proofs.report.schemas import published
from tests.documents.pairs import line, table, way_of
from tests.documents.reasons import constants
from tests.documents.subjects import SUBJECTS

TABLE = table()


@pytest.mark.parametrize("name", SUBJECTS)
def test_fields_differ_in_their_pairs(name):
    """A field that is a constant, or is computed from another value, does not differ as its line says."""
    subject = SUBJECTS[name]
    found = {field: line(subject, way_of(said), field) for field, said in TABLE[name].items()}
    assert found == TABLE[name]


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_field_has_a_pair_or_is_constant(name):
    subject = SUBJECTS[name]
    constant = constants(name, subject.schema)
    assert {*subject.keys.every} == {*TABLE[name], *constant}
    assert not {*TABLE[name]} & {*constant}


@pytest.mark.parametrize("name", SUBJECTS)
def test_constant_fields_have_their_values_in_all_documents(name):
    """A field that can have another value needs a pair."""
    subject = SUBJECTS[name]
    found = [subject.keys.values(subject.of(one)) for one in subject.asked]
    for field, constant in constants(name, subject.schema).items():
        expected = list(constant.values)
        every = [values[field] for values in found if field in values]
        assert every, field
        for values in every:
            assert values == expected * (len(values) // len(expected)), field


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
