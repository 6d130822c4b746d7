"""Load, in the child process, the function that a user named.

It takes three arguments or RocketMQ's four.
"""

import ast
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from rebalance_proofs.model.own.call import judging
from rebalance_proofs.model.own.named import Named, StrategyError
from rebalance_proofs.model.own.surroundings import ARGUMENT, ATTRIBUTE, Setting

Function = Callable[..., Any]


class Carried(SourceFileLoader):
    """Loader of a user's module from its source text, on a machine without the file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_data(self, path: str) -> bytes:
        """Return the source as UTF-8. Raises ``OSError`` for any other path."""
        if path != self.path:
            raise FileNotFoundError(path)
        return self._source.encode()


def load(named: Named, settings: Sequence[Setting] = ()) -> tuple[Function, int]:
    """Return the user's function, and its number of arguments: 4, or 3 without consumerGroup.

    A class is instantiated without arguments, except for ``settings`` that its constructor takes. For an object, the
    function is its method ``allocate``. A property is wrapped so that it takes 4 arguments. Raises ``StrategyError``.
    """
    module = _module(named)
    found: Any = module
    for part in named.what.split("."):
        if not hasattr(found, part):
            raise StrategyError(f"{named.where} has no {named.what!r}{_others(found)}")
        found = getattr(found, part)
    if named.judges:
        return judging(found, named.text), 4
    left = list(settings)
    if inspect.isclass(found):
        taken = _taken(found, left)
        left = [one for one in left if one.name not in taken]
        try:
            found = found(**taken)
        except Exception as error:
            raise StrategyError(
                f"{named.text} cannot be created without arguments ({type(error).__name__}: {error}); name a function "
                "or an object instead"
            ) from None
    for setting in left:
        _set(module, found, setting, named.text)
    function = getattr(found, "allocate", found)
    if not callable(function):
        raise StrategyError(
            f"{named.text} is of type {type(found).__name__}; name a function, or an object with allocate"
        )
    return function, arguments(function, named.text)


def _taken(type_: type, settings: Sequence[Setting]) -> dict[str, object]:
    """Return the settings that are arguments of the class's constructor, with converted values."""
    try:
        parameters = inspect.signature(type_).parameters
    except (TypeError, ValueError):
        return {}
    mine = [one for one in settings if one.of(ARGUMENT) and one.name in parameters]
    return {one.name: _converted(one.value, parameters[one.name].default) for one in mine}


def _set(module: ModuleType, found: object, setting: Setting, name: str) -> None:
    """Set an attribute of the object or of its module, if it has one of that name."""
    for owner in (found, module):
        if setting.of(ATTRIBUTE) and hasattr(owner, setting.name):
            setattr(owner, setting.name, _converted(setting.value, getattr(owner, setting.name)))
            return
    if setting.kind in (ARGUMENT, ATTRIBUTE):
        what = "constructor argument" if setting.kind == ARGUMENT else "attribute"
        raise StrategyError(f"{name} has no {what} {setting.name!r} (--vary)")


def _converted(value: str, like: object) -> object:
    """Return the value as an object of the type that it replaces; without one, as a Python literal or a text."""
    if isinstance(like, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def arguments(function: Function, name: str) -> int:
    """Return the function's number of arguments, 3 or 4.

    Raises ``StrategyError`` for any other number.
    """
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise StrategyError(f"{name} is a coroutine or a generator; a strategy has to return a list")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 4  # Some functions written in C do not expose their arguments.
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = sum(one.default is one.empty for one in positional)
    most = 99 if any(one.kind is one.VAR_POSITIONAL for one in parameters) else len(positional)
    keyword = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty]
    for number in (3, 4) if needed == 3 else (4, 3):
        if needed <= number <= most and not keyword:
            return number
    raise StrategyError(
        f"{name} takes {', '.join(one.name for one in parameters) or 'no arguments'}; a strategy has to take "
        "consumer_group, current_cid, mq_all and cid_all, or the last three of these"
    )


def _module(named: Named) -> ModuleType:
    where = Path(named.where).resolve()
    sys.path.insert(0, str(where.parent if named.in_file else Path.cwd()))
    try:
        if not named.in_file:
            return importlib.import_module(named.where)
        if named.source and not where.is_file():
            spec = importlib.util.spec_from_loader(where.stem, Carried(where.stem, str(where), named.source))
        else:
            spec = importlib.util.spec_from_file_location(where.stem, where)
        if spec is None or spec.loader is None:
            raise StrategyError(f"{named.where} cannot be loaded")
        module = importlib.util.module_from_spec(spec)
        sys.modules[where.stem] = module
        spec.loader.exec_module(module)
        return module
    except StrategyError:
        raise
    except (Exception, SystemExit) as error:
        raise StrategyError(f"{named.where} cannot be loaded: {type(error).__name__}: {error}") from None


def _others(found: object) -> str:
    names = [name for name, value in vars(found).items() if callable(value) and not name.startswith("_")]
    return f"; it has {', '.join(names[:8])}" if names and len(names) < 40 else ""
