"""How arguments reach the engine."""
from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, Union

from semirec import _core
from semirec._errors import ModelError

Path = Union[str, "os.PathLike[str]"]
Overrides = Union[None, str, Mapping[str, Any], Iterable[str]]


def call(function, *arguments):
    """Calls the engine; its ModelError becomes ours, which knows the place."""
    try:
        return function(*arguments)
    except _core._ModelError as error:
        raise ModelError(str(error)) from None


def file(source, overrides: Overrides = None):
    """A path, a Vehicle, a Scenario or None as the engine takes it, with values that are replaced."""
    changes = replaced(overrides)
    if source is None:
        return call(_core._File, "", None, changes)
    if hasattr(source, "_described"):
        name, text, own = source._described()
        return call(_core._File, name, text, [*own, *changes])
    path = os.fspath(source)
    if (b"\0" if isinstance(path, bytes) else "\0") in path:
        raise ValueError("a path holds a null character, expected the name of a file")
    return call(_core._File, path, None, changes)


def names(given: Iterable[str], of: str) -> list[str]:
    """Names as the engine takes them; one alone is not taken letter by letter."""
    if isinstance(given, str):
        raise TypeError(f"{of} is the text '{given}', expected a list of names")
    return list(given)


def replaced(overrides: Overrides) -> list[str]:
    """{'front_spring.k': 3e4} or ['front_spring.k=3e4'] as the list that the engine takes."""
    if overrides is None:
        return []
    if isinstance(overrides, str):
        return [overrides]
    if hasattr(overrides, "items"):
        return [f"{name}={_text(value)}" for name, value in overrides.items()]
    return [str(item) for item in overrides]


def _text(value):
    if isinstance(value, str):
        return value
    if hasattr(value, "__len__") and getattr(value, "ndim", 1) > 0:
        return " ".join(_text(v) for v in value)
    return repr(float(value))
