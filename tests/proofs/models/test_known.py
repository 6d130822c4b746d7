"""Recorded models belong to subjects of the ledger, and answer nearly all questions a model can answer."""

import gzip
import json

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.models.evaluated import LARGEST
from rebalance_proofs.proofs.models.known import RECORDED, Models, recorded, written
from rebalance_proofs.proofs.models.record import answered


def content():
    return json.loads(gzip.decompress(RECORDED.read_bytes()))


def test_recorded_models_answer_nearly_all_queries(proved):
    """Otherwise a run takes longer; ``python -m rebalance_proofs.proofs.models.record`` finds new ones."""
    steps = [step for result in proved.values() for step in result.obligations]
    asked = [question for step in steps for question in step.can_be if question.model is not None]
    assert answered(proved.values())
    assert sum(not question.answers for question in asked) >= 0.95 * len(asked)


def test_recorded_models_belong_to_subjects_of_proved_claims():
    subjects = {f"{claim.kind} {claim.subjects[0].name}" for claim in LEDGER if claim.expected is Verdict.PROVED}
    assert set(content()) <= subjects


def test_recorded_models_omit_zeros_and_large_numbers():
    numbers = [number for models in content().values() for _, row in models for number in row]
    assert 0 not in numbers
    assert max(map(abs, numbers)) <= LARGEST


def test_written_models_are_read_back():
    claim = next(claim for claim in LEDGER if claim.kind == "settling")
    (models,) = (recorded().of("settling", claim.subjects[0]).models,)
    key = f"settling {claim.subjects[0].name}"
    assert json.loads(gzip.decompress(written({key: models})))[key] == content()[key]
    assert written({key: models}) == written({key: models})


def test_values_of_few_subjects_are_cached():
    """Terms are not freed before their values."""
    models = Models()
    claims = [claim for claim in LEDGER if claim.kind == "allocation"]
    subjects = list({claim.subjects[0].name: claim.subjects[0] for claim in claims}.values())
    first = models.of("allocation", subjects[0])
    assert models.of("allocation", subjects[0]) is first
    for one in subjects[1:6]:
        models.of("allocation", one)
    assert models.of("allocation", subjects[0]) is not first
