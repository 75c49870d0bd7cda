"""Vehicles and scenarios as objects: read from a file or a text, changed by name, given wherever a path is."""
from __future__ import annotations

import os
from collections import namedtuple
from typing import Any, Union

from semirec import _core
from semirec._call import Path, call, file, replaced

Number = namedtuple("Number", "value unit about")
Number.__doc__ = """A number of a file: value (a float, or a tuple of several), its unit ('' where the file gives none, '1' without
dimension), and what it is."""

Description = namedtuple("Description", "inputs outputs parameters")
Description.__doc__ = """inputs, outputs: {name: unit}; parameters: {'element.attribute': Number}, those that the
file writes; set() also takes words, attributes that the file leaves at their default, and the root's `gravity`."""


class _Text:
    _default = ""

    def __init__(self, path: Path | None = None, *, text: str | None = None):
        if path is None and text is None:
            raise TypeError("neither a path nor a text is given, expected one of them")
        self._path = self._default if path is None else os.fspath(path)
        self._text = text
        self._changes: list[str] = []

    def _described(self):
        return self._path, self._text, self._changes

    def set(self, path: str, value: Any):
        """Replaces a number, a row of numbers or a word: 'element.attribute', in which the element may hold `*`.

        The last one counts, but a factor ('*1.1') multiplies what is there, earlier factors included. Returns the object itself.
        Names and values are looked at when the object is used."""
        # a new list: a copy.copy() has the old one
        self._changes = [*self._changes, *replaced({path: value})]
        return self

    def copy(self):
        """Another object with the same changes, for further ones of its own."""
        other = type(self)(self._path, text=self._text)
        other._changes = list(self._changes)
        return other

    @property
    def parameters(self) -> dict[str, Number]:
        """{'element.attribute': Number}: the numbers that the file writes, as they are now; set() takes more
        (Description)."""
        return {name: Number(numbers[0] if len(numbers) == 1 else tuple(numbers), unit, about)
                for name, numbers, unit, about in call(_core._describe_numbers, file(self))}

    def __repr__(self):
        changed = f" with {', '.join(self._changes)}" if self._changes else ""
        return f"<{type(self).__name__} {self._path}{changed}>"


class Vehicle(_Text):
    """A vehicle or mechanism: of a file, or of the text of one, in which numbers may be replaced.

    path: the file; with text its name in messages, and other files are relative to its folder
    text: the XML itself, in place of the file

    >>> light = Vehicle(models / "sedan.xml").set("chassis.mass", 1300)
    >>> light.parameters["chassis.mass"].value, light.parameters["chassis.mass"].unit
    (1300.0, 'kg')
    >>> answer = equilibrium(light)
    """

    _default = "vehicle.xml"

    def describe(self, scenario: Source = None) -> Description:
        """What goes in, what comes out and what can be set, with units.

        >>> about = Vehicle(models / "sedan.xml").describe()
        >>> about.inputs["steering"], about.outputs["chassis.wz"]
        ('rad', 'rad/s')
        """
        inputs, outputs = call(_core._describe_channels, file(self), file(scenario))
        return Description(dict(inputs), dict(outputs), self.parameters)


class Scenario(_Text):
    """A scenario: of a file, or of the text of one, in which numbers may be replaced.

    Elements without a name are called by their kind: 'run.until', 'start.speed'.

    >>> short = Scenario(scenarios / "step_steer.xml").set("run.until", 0.2).set("start.speed", 10)
    >>> drive = run(models / "sedan.xml", short)
    >>> drive["time"][-1], bool(abs(drive["chassis.vx"][0] - 10) < 1e-9)
    (0.2, True)
    """

    _default = "scenario.xml"


Source = Union[None, Path, Vehicle, Scenario]
