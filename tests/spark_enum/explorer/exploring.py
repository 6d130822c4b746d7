"""Explorations for tests, each done once."""

from functools import cache

from rebalance_proofs.spark_enum.explorer.exploration import explored
from rebalance_proofs.spark_enum.explorer.explore import Explored, explore
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.standard import SUBJECTS
from rebalance_proofs.spark_enum.explorer.subject import Subject


@cache
def gone_through(model: str, *, most: int | None = None, settle: bool = True, **told: object) -> Explored:
    """Exploration of that model with these settings, cached."""
    return gone_through_of(SUBJECTS[model], most=most, settle=settle, **told)


def gone_through_of(subject: Subject, *, most: int | None = None, settle: bool = True, **told: object) -> Explored:
    """Exploration of any subject, not cached."""
    settings = subject.settings(**told)
    with explored(Product(subject.build(settings)), subject.document(settings)) as exploration:
        return explore(subject, settings, exploration, most, settle)
