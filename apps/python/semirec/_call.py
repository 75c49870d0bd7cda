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


def path(file: Path | None) -> str:
    """A path as the engine takes it; empty for None."""
    return "" if file is None else os.fspath(file)


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
    if hasattr(value, "__len__"):
        return " ".join(_text(v) for v in value)
    return repr(float(value))
