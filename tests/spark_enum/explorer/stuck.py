"""A group without any move once all consumers have joined; other groups go on."""

from dataclasses import replace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.spark_enum.explorer.model import Model
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.subject import Settings, Subject


def _build(settings: Settings) -> Model:
    model = lock_lite(AVERAGELY, settings.consumers, settings.queues)

    def after(members, move):
        return None if all(members.lives) else model.after(members, move)

    return replace(model, name="stuck", after=after)


STUCK = Subject("stuck", "All that join stand still.", (), {}, _build)
