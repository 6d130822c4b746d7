"""Jinja environment for the templates of pages."""

from jinja2 import Environment, PackageLoader, StrictUndefined


def environment(*, escapes: bool) -> Environment:
    """Return a Jinja environment: for HTML with ``escapes``, else for Markdown without escaping.

    An undefined name in a template is an error.
    """
    return Environment(
        loader=PackageLoader("rebalance_proofs.report"),
        undefined=StrictUndefined,
        autoescape=escapes,
        keep_trailing_newline=not escapes,
        trim_blocks=True,
        lstrip_blocks=True,
    )
