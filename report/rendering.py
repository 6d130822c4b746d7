"""The templates of pages."""

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment(*, escapes: bool) -> Environment:
    """In which they are rendered: with ``escapes`` as HTML, otherwise as Markdown that stands as it is written.

    What a template names and is not given is an error.
    """
    return Environment(
        loader=PackageLoader("rebalance_proofs.report"),
        undefined=StrictUndefined,
        autoescape=escapes,
        keep_trailing_newline=not escapes,
        trim_blocks=True,
        lstrip_blocks=True,
    )
