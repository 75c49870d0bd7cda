"""What may go wrong, with the place."""
from __future__ import annotations

import re

from semirec import _core

_PLACE = re.compile(r"(?P<file>[^\n]+?):(?P<line>\d+): (?:element '(?P<element>[^']*)': )?")


class ModelError(_core._ModelError):
    """A file, name or number that cannot be used; a ValueError.

    file, line, element: where it stands, None where the fault is no file's.
    """

    def __init__(self, message: str):
        super().__init__(message)
        place = _PLACE.match(message)
        self.file: str | None = place["file"] if place else None
        self.line: int | None = int(place["line"]) if place else None
        self.element: str | None = place["element"] if place else None


class StepError(RuntimeError):
    """A step that failed. The car stands where it stood before it, and may go on with other inputs.

    time: of the last good state, s.
    """

    def __init__(self, message: str, time: float):
        super().__init__(f"{message}, at t = {time:g} s")
        self._message, self.time = message, time

    def __reduce__(self):
        return type(self), (self._message, self.time)
