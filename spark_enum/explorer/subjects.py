"""Registry of the explorable models.

To add one, write its file in ``models`` and name it here.
"""

from rebalance_proofs.spark_enum.explorer.models import concurrent, lock_lite, ordered
from rebalance_proofs.spark_enum.explorer.subject import Subject

SUBJECTS: dict[str, Subject] = {one.name: one for one in (concurrent.SUBJECT, ordered.SUBJECT, lock_lite.SUBJECT)}
"""The models, by name."""
