"""Sentences of findings, in English and in the language in use."""

from typing import Any

from rebalance_proofs.language import Text, gettext


class Phrase(str):
    """A sentence in English that remembers its parts, so that it can be translated when it is printed."""

    __slots__ = ("parts",)

    parts: tuple[tuple[str, dict[str, object]], ...]
    """Each part as (message with placeholders, value of each placeholder)."""

    def __new__(cls, text: str, parts: tuple[tuple[str, dict[str, object]], ...] = ()) -> "Phrase":
        """Make a sentence of the text; ``parts`` are its messages and their values."""
        made = super().__new__(cls, text)
        made.parts = parts
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to make the sentence again, for other processes."""
        return Phrase, (str(self), self.parts)


def phrase(message: str, **values: object) -> Phrase:
    """Return a sentence. ``message`` is translated by gettext; each value replaces ``{name}``."""
    english = {name: value.en if isinstance(value, Text) else value for name, value in values.items()}
    return Phrase(message.format(**english), ((message, values),))


def both(*every: str) -> Phrase:
    """Return the sentence that consists of several parts, without anything between them."""
    parts = tuple(part for one in every if one for part in ((isinstance(one, Phrase) and one.parts) or ((one, {}),)))
    return Phrase("".join(every), parts)


def translated(text: str) -> str:
    """Return a sentence in the language in use; any other text as it is."""
    if not isinstance(text, Phrase) or not text.parts:
        return text
    return "".join(
        gettext(message).format(
            **{name: translated(value) if isinstance(value, str) else value for name, value in values.items()}
        )
        if values
        else gettext(message)
        for message, values in text.parts
    )
