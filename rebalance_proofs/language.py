"""The language of answers: English or Chinese.

Every package may import this module. Texts of the knowledge files have both languages (``Text``). Messages of the code
are translated by gettext, from ``locale/zh/LC_MESSAGES/rebalance.po``.
"""

import gettext as translations
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LANGUAGES = ("en", "zh")
"""Languages of answers; the first is the default."""
DOMAIN = "rebalance"
LOCALE = Path(__file__).parent / "locale"
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Environment variables that name the locale; the first that is set counts."""

_used = LANGUAGES[0]


def use(language: str) -> None:
    """Set the language of all texts that are printed from now on. Raises ``ValueError`` for an unknown one."""
    global _used  # one process gives one answer
    if language not in LANGUAGES:
        raise ValueError(f"{language!r} is no language of answers")
    _used = language


def language() -> str:
    """Return the language in use."""
    return _used


@contextmanager
def english() -> Iterator[None]:
    """Use English meanwhile: JSON does not depend on the language. It is a decorator of functions, too."""
    before = _used
    use(LANGUAGES[0])
    try:
        yield
    finally:
        use(before)


def chosen(environment: Mapping[str, str] = os.environ) -> str:
    """Return the language for the locale in the environment: Chinese for a Chinese locale, otherwise English."""
    locale = next((environment[name] for name in VARIABLES if environment.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else LANGUAGES[0]


@dataclass(frozen=True)
class Text:
    """A text in each language. ``str()`` and f-strings give it in the language in use.

    It is not a string, so that the type checker finds a place that forgets the language.
    """

    en: str
    zh: str = ""

    def __str__(self) -> str:
        return self.zh if _used == "zh" and self.zh else self.en


@cache
def _translations(language: str) -> translations.NullTranslations:
    return translations.translation(DOMAIN, LOCALE, [language], fallback=True)


def gettext(message: str) -> str:
    """Return the message in the language in use; in English if it is not translated."""
    return message if _used == LANGUAGES[0] else _translations(_used).gettext(message)


def later(message: str) -> str:
    """Mark the message of a constant: ``gettext`` translates it where it is printed."""
    return message


def ngettext(one: str, many: str, number: int) -> str:
    """Return the message's form for a number in the language in use."""
    return _translations(_used).ngettext(one, many, number)
