"""What may go wrong, with the place."""
from __future__ import annotations

import re

from semirec import _core

_ELEMENT = r"element '(?P<element>[^']*)': "
# how the engine's messages begin, the first that fits; a file name with ': ' in it is told from the words by the line alone
_PLACES = [re.compile(pattern) for pattern in (
    r"(?:(?P<file>(?:(?!: )[^\n])+?)(?::(?P<line>\d+))?: )?" + _ELEMENT,
    rf"(?P<file>[^\n]+?):(?P<line>\d+): (?:{_ELEMENT})?",
    r"(?P<file>[^\n]+): cannot be (?:read|written)")]


class ModelError(_core._ModelError):
    """A file, name or number that cannot be used; a ValueError.

    file, line, element: where it stands, each None where the message does not say it.
    """

    def __init__(self, message: str):
        super().__init__(message)
        found = next((match for match in (place.match(message) for place in _PLACES) if match), None)
        place = found.groupdict() if found else {}
        line = place.get("line")
        self.file: str | None = place.get("file")
        self.line: int | None = int(line) if line else None
        self.element: str | None = place.get("element")


class StepError(RuntimeError):
    """A step that failed. The car stands where it stood before it, and may go on with other inputs.

    time: of the last good state, s.
    """

    def __init__(self, message: str, time: float):
        super().__init__(f"{message}, at t = {time:g} s")
        self._message, self.time = message, time

    def __reduce__(self):
        return type(self), (self._message, self.time)
