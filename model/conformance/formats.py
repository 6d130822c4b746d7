"""The file formats. To add one: write its file beside the others and name it in ``FORMATS``."""

from model.conformance import avg, errors, sort_cases
from model.conformance.format import Format

FORMATS: tuple[Format, ...] = (
    avg.FORMAT,
    errors.FORMAT,
    sort_cases.FORMAT,
)
