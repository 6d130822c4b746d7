"""The allocation strategies. To add one: write its file beside the others and name it in ``STRATEGIES``."""

from model.allocation.averagely import AVERAGELY
from model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from model.allocation.strategy import Strategy

STRATEGIES: tuple[Strategy, ...] = (
    AVERAGELY,
    AVERAGELY_BY_CIRCLE,
)
